import type { Migration } from '../db/dialect.ts';

/**
 * The role that a key never exceeds, how sessions begin and when they proved who is there, and which passkeys and identities somebody
 * else may have added. Keys that people made never exceed what those are now.
 */
export const authority: Migration = {
  number: 52,
  name: 'authority',
  statements: ({ integer, text }) => [
    `ALTER TABLE api_keys ADD COLUMN ceiling ${text}`,
    `UPDATE api_keys SET ceiling = (SELECT m.role FROM members m WHERE m.id = api_keys.member_id)
     WHERE member_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM members m WHERE m.key_id = api_keys.id)`,
    ...['sessions', 'login_links'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN start ${text} NOT NULL DEFAULT 'own'`,
      `ALTER TABLE ${table} ADD COLUMN proved_at ${integer}`,
    ]),
    `ALTER TABLE invitations ADD COLUMN proved_at ${integer}`,
    `ALTER TABLE passkeys ADD COLUMN helped ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE identities ADD COLUMN helped ${integer} NOT NULL DEFAULT 0`,
  ],
};
