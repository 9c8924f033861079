"""Which numbers, and how many items, can an expression have (interval analysis)?"""
