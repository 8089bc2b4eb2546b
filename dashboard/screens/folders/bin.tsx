export function Bin(_props: { readonly code?: string }) {
  return null;
}
