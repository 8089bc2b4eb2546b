export function Settings(_props: { readonly code?: string }) {
  return null;
}
