/** Returns true if a `DATABASE_URL` is a PostgreSQL URL. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/i.test(url);
}
