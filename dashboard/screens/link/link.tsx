export function LinkPage(_props: { readonly code?: string }) {
  return null;
}
