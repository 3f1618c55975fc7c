"""The language of conditions: text to tree, tree to text, and a tree judged on a pull request."""
