/** UI strings from all dashboard folders in one language, collected by scripts/build-dashboard.ts. */
declare module 'linkfold:de' {
  export const texts: Readonly<Record<string, unknown>>;
}
