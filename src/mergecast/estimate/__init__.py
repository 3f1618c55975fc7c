"""What a queue's history hides: lengths of stopped runs, who was broken, what people would have done."""
