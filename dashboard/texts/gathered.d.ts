/** The texts of all rooms in one language: scripts/build-dashboard.ts gathers them from the folders. */
declare module 'linkfold:de' {
  export const texts: Readonly<Record<string, unknown>>;
}
