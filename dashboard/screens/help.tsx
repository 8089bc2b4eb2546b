export function Help(_props: { readonly code?: string }) {
  return null;
}
