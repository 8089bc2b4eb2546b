/** Whether a `DATABASE_URL` names PostgreSQL. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/i.test(url);
}
