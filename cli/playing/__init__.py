"""How is a game played at the terminal (`ludex play`)?"""
