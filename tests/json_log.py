#!/usr/bin/env python3
"""json_log.py SOFTGT LOGGING TEST [ARGUMENT...]: runs a test with the softgt that logs its JSON (json_log.c) in the other's place."""
import os
import sys

softgt, logging, *command = sys.argv[1:]
command = [logging if os.path.abspath(word) == os.path.abspath(softgt) else word for word in command]
os.execv(command[0], command)
