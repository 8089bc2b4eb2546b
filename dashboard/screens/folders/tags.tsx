export function Tags(_props: { readonly code?: string }) {
  return null;
}
