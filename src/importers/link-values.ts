import type { LinkLine } from './format.ts';

type Part = Partial<LinkLine>;

const closed: Part = { disabled: true, lost: ['password'] };
const bcrypt = /^\$2[aby]\$\d\d\$[./A-Za-z\d]{53}$/;
const noPassword = /^(?:0|-|n|f|no|none|null|false|off|nein|disabled)$/i;
/** Matches values that only report that a link has a password. */
const marker =
  /^(?:1|y|t|yes|true|on|ja|oui|s[ií]|set|enabled|(?:(?:has|with|is) )?password|(?:password[ -]?)?protected|hidden|masked|encrypted|redacted|[[(<].*[\])>]|[\W_]+|x{3,})$/i;
const otherHash =
  /^(?:\$\w+\$|\{\w+\}|(?:pbkdf2|scrypt|argon2\w*|bcrypt|sha-?\d+|md5)[$:_-]|(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$)/i;

/**
 * Parses a password column, which contains the password, its bcrypt hash, or only whether there is a password.
 * @returns fields that keep the link protected; empty if the link has no password
 */
export function passwordFrom(value: unknown): Part {
  const text = String(value ?? '').trim();
  if (text === '' || noPassword.test(text)) return {};
  if (bcrypt.test(text)) return { passwordHash: text };
  const isPlain = !marker.test(text) && !otherHash.test(text) && text.length >= 4 && text.length <= 128;
  return isPlain ? { password: text } : closed;
}

const off =
  /^(?:0|f|n|false|no|off|inactive|not active|disabled|deactivated|deleted|removed|trash(?:ed)?|paused|stopped|suspended|blocked|banned|expired|unpublished|draft|nein|inaktiv|deaktiviert|gelöscht|gesperrt|abgelaufen)$/i;

/** Parses a link's state, such as `inactive`, `enabled: false` or `archived`. */
export function stateFrom(text: string | undefined): Part {
  if (text === undefined) return {};
  if (off.test(text)) return { disabled: true };
  return /^(?:archived|archiviert)$/i.test(text) ? { archived: true } : {};
}

/** Parses a redirect type, such as `301`, `307 (temporary)` or `permanent`. */
export function redirectFrom(text: string | undefined): Part {
  if (text === undefined) return {};
  const [, status] = /(?:^|\D)(30[1278])(?:\D|$)/.exec(text) ?? [];
  if (status !== undefined) return { redirectStatus: Number(status) };
  if (/^perm/i.test(text)) return { redirectStatus: 301 };
  return /^temp/i.test(text) ? { redirectStatus: 302 } : { lost: ['redirect type'] };
}

/**
 * Merges parts of a link. Later values win, but a disabled link stays disabled, and the lists in `lost` are combined.
 */
export function joinParts(...parts: readonly Part[]): Part {
  const lost = [...new Set(parts.flatMap((part) => part.lost ?? []))];
  return Object.assign({}, ...parts, {
    disabled: parts.some(({ disabled }) => disabled) || undefined,
    archived: parts.some(({ archived }) => archived) || undefined,
    lost: lost.length === 0 ? undefined : lost,
  });
}
