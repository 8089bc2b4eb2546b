/** The statistics of the account, or of one subject below its head. */
export function StatisticsPage(_props: {
  readonly subject?: { readonly kind: 'link' | 'folder' | 'tag'; readonly id: string };
}) {
  return null;
}
