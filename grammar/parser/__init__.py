"""How do words become syntax nodes, and a fault one report?"""
