export function Keys(_props: { readonly code?: string }) {
  return null;
}
