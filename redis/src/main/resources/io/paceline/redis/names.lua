-- What every script begins with: short names. Before it stands a line that says what time it is: `now`, in microseconds, a
-- number. Names in capitals that a line `--#` declares, or that Java shares, are put in as numbers where they stand.
--
-- Whole numbers stay exact up to 2^53. They are packed as doubles (struct's `d`), never by tostring, which keeps 14 digits.
-- Whatever has 64 bits of its own (leases, targets, sessions, tags) is a string of octets here, and never a number.
local call, pack, read = redis.call, struct.pack, struct.unpack
local sub, byte, char, rep, format = string.sub, string.byte, string.char, string.rep, string.format
local max, min, floor, ceil = math.max, math.min, math.floor, math.ceil
local PREFIX = sub(KEYS[1], 1, -2)
local LEASES, ENDS = PREFIX .. 'l', KEYS[1]
-- The time as commands take it: a number is written at length by Redis, which takes as long as the simplest of commands.
local NOW = format('%d', now)

