-- Renames the stored id of the message that calls players: what was "notice" is now "announcement".

UPDATE tables
SET body = json_set(json_remove(body, '$.messages.notice'), '$.messages.announcement',
                    json_extract(body, '$.messages.notice'))
WHERE json_valid(body) AND json_type(body, '$.messages.notice') = 'integer';
