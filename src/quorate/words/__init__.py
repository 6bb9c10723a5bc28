"""Facts and their words: what an answer says, in sentences, numbers and terms."""
