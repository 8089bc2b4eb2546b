import type { Dialect } from '../db/dialect.ts';

/** Tables for members, invitations, passkeys and identities. */
export function membersSchema({ integer, text, bytes, clustered }: Dialect): readonly string[] {
  return [
    // Members. Each member has its own key (docs/decisions/identity.md). `operator_at` is the time at which the member
    // became an operator.
    `CREATE TABLE members (
    id ${text} PRIMARY KEY,
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    key_id ${text} NOT NULL UNIQUE REFERENCES api_keys (id),
    name ${text} NOT NULL,
    email ${text},
    role ${text} NOT NULL,
    folders ${text},
    preferences ${text},
    preferences_at ${integer},
    created_at ${integer} NOT NULL,
    operator_at ${integer}
  )${clustered}`,
    'CREATE INDEX members_by_account ON members (account_id, created_at)',
    `CREATE TABLE invitations (
    id ${text} PRIMARY KEY,
    digest ${bytes} NOT NULL UNIQUE CHECK (length(digest) = 32),
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    role ${text} NOT NULL,
    plan ${text} NOT NULL,
    email ${text},
    folders ${text},
    inviter ${text},
    created_at ${integer} NOT NULL,
    expires_at ${integer} NOT NULL,
    bounds ${text},
    proved_at ${integer}
  )${clustered}`,
    'CREATE INDEX invitations_by_account ON invitations (account_id, created_at)',
    // Passkeys. `helped` is set if the passkey was added in a session that somebody else may have started.
    `CREATE TABLE passkeys (
    id ${text} PRIMARY KEY,
    member_id ${text} NOT NULL REFERENCES members (id),
    credential ${text} NOT NULL UNIQUE,
    public_key ${bytes} NOT NULL,
    counter ${integer} NOT NULL,
    name ${text} NOT NULL,
    is_synced ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    last_used_at ${integer},
    helped ${integer} NOT NULL DEFAULT 0
  )${clustered}`,
    'CREATE INDEX passkeys_by_member ON passkeys (member_id, created_at)',
    // Pending challenges for passkeys and identity providers, each valid for a single use.
    `CREATE TABLE challenges (
    digest ${bytes} PRIMARY KEY CHECK (length(digest) = 32),
    member_id ${text},
    data ${text} NOT NULL,
    expires_at ${integer} NOT NULL
  )${clustered}`,
    // Members' identities at OpenID Connect providers: issuer and subject, unique in each account.
    `CREATE TABLE identities (
    issuer ${text} NOT NULL,
    subject ${text} NOT NULL,
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    member_id ${text} NOT NULL REFERENCES members (id),
    by_group ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    last_used_at ${integer} NOT NULL,
    helped ${integer} NOT NULL DEFAULT 0,
    PRIMARY KEY (issuer, subject, account_id)
  )${clustered}`,
    'CREATE INDEX identities_by_member ON identities (member_id)',
  ];
}
