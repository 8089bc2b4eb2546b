/** The subset of the WebExtension API that the extension uses. Firefox also supports the name `chrome`. */
declare namespace chrome {
  namespace tabs {
    function query(of: {
      readonly active: true;
      readonly currentWindow: true;
    }): Promise<readonly { readonly url?: string; readonly title?: string }[]>;
    function create(tab: { readonly url: string; readonly active?: boolean }): Promise<unknown>;
    /** Changes the URL of the current tab. */
    function update(tab: { readonly url: string }): Promise<unknown>;
  }
  namespace storage.local {
    function get(names: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
    function set(values: Readonly<Record<string, unknown>>): Promise<void>;
    function remove(names: readonly string[]): Promise<void>;
  }
  /** Undefined in Firefox for Android. */
  const omnibox:
    | undefined
    | {
        readonly onInputEntered: {
          addListener(
            listener: (text: string, where: 'currentTab' | 'newForegroundTab' | 'newBackgroundTab') => void,
          ): void;
        };
        setDefaultSuggestion(suggestion: { readonly description: string }): void;
      };
  namespace permissions {
    interface Hosts {
      readonly origins: readonly string[];
    }
    function contains(hosts: Hosts): Promise<boolean>;
    /** Asks the user for permission. Works only in a click handler. */
    function request(hosts: Hosts): Promise<boolean>;
    function remove(hosts: Hosts): Promise<boolean>;
  }
  namespace i18n {
    /** Returns an empty string if the message does not exist. */
    function getMessage(name: string, values?: readonly string[]): string;
    function getUILanguage(): string;
  }
  namespace runtime {
    function openOptionsPage(): Promise<void>;
  }
}
