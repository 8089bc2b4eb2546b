export function Folders(_props: { readonly code?: string }) {
  return null;
}
