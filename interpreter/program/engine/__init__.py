"""How is a compiled program asked: states, legality, what players see, programs kept between runs?"""
