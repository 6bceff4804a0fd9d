"""The house runs tables for people: `game` decides their commands, a store keeps the events, live views show them."""
