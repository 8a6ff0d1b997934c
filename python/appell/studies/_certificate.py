class Certificate: pass
def certificate(): pass
