/** Downloads a file that was created in the page. */
export function saveFile(name: string, type: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Revoke the URL only after the browser has started to read the blob.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
