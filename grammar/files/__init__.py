"""How is anything read from disk, written to it, or kept between runs?"""
