"""The wire: HTTP and WebSocket routes by topic. Thin: read, ask the house, answer."""
