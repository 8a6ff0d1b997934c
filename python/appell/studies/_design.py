class Design: pass
def design(): pass
