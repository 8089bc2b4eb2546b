export function Many(_props: { readonly code?: string }) {
  return null;
}
