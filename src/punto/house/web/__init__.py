"""HTTP and WebSocket routes by topic. Each reads a request, asks the house and answers."""
