-- Lengthens a live lease.
--
-- ARGV  1 id  2 time to live
begin()
local lease = lease_of(ARGV[1])
local answer = {}
if lease and has(lease.flags, OCCUPIES) then
  lease.expires = max(lease.expires, now + read('<d', ARGV[2]))
  put(LEASES, lease.id, pack_lease(lease))
  call('ZADD', ENDS, lease.expires, lease.id)
  local session = session_of(lease)
  if session then
    session.leases_until = max(session.leases_until, lease.expires)
    touch(session)
  end
  for i = 1, #lease.paid do
    -- A count that a reload has made vanish does not come back.
    if lease.paid[i].type == CONCURRENCY and limit_at(lease.paid[i].key).type then
      touch(limit_at(lease.paid[i].key))
    end
  end
  answer = {lease.expires}
end
flush()
return answer
