export function QrDialog(_props: { readonly code: string }) {
  return null;
}
