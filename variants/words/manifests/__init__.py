"""Fresh manifests: chains of anagrams, printed or played."""
