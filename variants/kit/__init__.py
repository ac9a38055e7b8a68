"""What rule books share: chance, text with roles, cards.  Pure, standard library only."""
