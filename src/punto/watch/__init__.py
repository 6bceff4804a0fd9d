"""Surveillance by computation: finds unshuffled shoes, missing cards, and bets that follow the cards."""
