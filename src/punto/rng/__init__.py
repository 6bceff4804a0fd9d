"""Tests of the shuffle: raw bits, orders and cards as dealt are counted and compared with exact distributions."""
