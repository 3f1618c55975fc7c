"""The language of conditions: parsing, printing, and evaluation on a pull request.

Text becomes a tree (`parser.py`, `tree.py`), and a tree becomes a result (`evaluate.py`, `result.py`). A
new attribute is a row in `attributes/`; what a snapshot says about a pull request is in `facts/`.
"""
