"""What surveillance should have seen: unshuffled shoes, missing cards, bets that follow the cards."""
