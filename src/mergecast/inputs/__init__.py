"""What clients send, declared once: reading a request and describing it in OpenAPI use the same declaration.

`field.py` declares values and objects, `kinds.py` has the usual kinds of values, and `json_object.py` splits
the text of an object without decoding its values.
"""
