"""The parlour: who is here, and people talking.  Pure: time is an argument, mail is an answer."""
