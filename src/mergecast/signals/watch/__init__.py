"""What a server looks at by itself: baselines, which it compares with every queue's last days."""
