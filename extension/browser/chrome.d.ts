/** The subset of the WebExtension API that we use. Firefox supports the name `chrome` too. */
declare namespace chrome {
  namespace tabs {
    function query(of: {
      readonly active: true;
      readonly currentWindow: true;
    }): Promise<readonly { readonly url?: string; readonly title?: string }[]>;
    function create(tab: { readonly url: string; readonly active?: boolean }): Promise<unknown>;
    /** Changes the current tab. */
    function update(tab: { readonly url: string }): Promise<unknown>;
  }
  namespace storage.local {
    function get(names: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
    function set(values: Readonly<Record<string, unknown>>): Promise<void>;
    function remove(names: readonly string[]): Promise<void>;
  }
  /** Missing in Firefox for Android. */
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
    /** Asks the user. Works only in the handler of a click. */
    function request(hosts: Hosts): Promise<boolean>;
    function remove(hosts: Hosts): Promise<boolean>;
  }
  namespace i18n {
    /** Empty if the message does not exist. */
    function getMessage(name: string, values?: readonly string[]): string;
    function getUILanguage(): string;
  }
  namespace runtime {
    function openOptionsPage(): Promise<void>;
  }
}
