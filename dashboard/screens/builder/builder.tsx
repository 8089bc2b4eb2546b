export function Builder(_props: { readonly code?: string }) {
  return null;
}
