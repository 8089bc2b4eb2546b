export function Home(_props: { readonly code?: string }) {
  return null;
}
