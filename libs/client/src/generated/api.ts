// Written by `npm run docs` from the contracts.
export type paths = {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the public keys that verify access tokens and receipts, as a JWK Set (RFC 7517)
         * @description Returns the public keys that verify access tokens and receipts, as a JWK Set (RFC 7517).
         *
         *     No credential.
         */
        get: operations["readJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{link_code}/burn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a SparkLink
         * @description Opens a SparkLink: its Spark is burned, a one-time link is consumed, a durable link stays valid.
         *
         *     No credential; a session identifies the visitor.
         *
         *     The same at POST /{link_code}/open.
         */
        post: operations["openLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{link_code}/interact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records an action of the recipient and returns its signed receipt
         * @description Records an action of the recipient and returns its signed receipt.
         *
         *     No credential.
         */
        post: operations["interact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{link_code}/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns options to authenticate with a passkey, or to enroll one after a code
         * @description Returns options to authenticate with a passkey, or to enroll one after a code.
         *
         *     No credential.
         */
        post: operations["startPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{link_code}/passkey/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verifies a passkey and returns a token that opens the link for ten minutes
         * @description Verifies a passkey and returns a token that opens the link for ten minutes.
         *
         *     No credential.
         */
        post: operations["verifyPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{link_code}/verify/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verifies the code and returns a token that opens the link for ten minutes
         * @description Verifies the code and returns a token that opens the link for ten minutes.
         *
         *     No credential.
         */
        post: operations["confirmVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{link_code}/verify/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a one-time code to an identity that may open the link
         * @description Sends a one-time code to an identity that may open the link.
         *
         *     No credential.
         */
        post: operations["startVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the account of the caller
         * @description Reads the account of the caller.
         *
         *     API key or session.
         */
        get: operations["readAccount"];
        /**
         * Changes the name of the organization, its logos, or both
         * @description Changes the name of the organization, its logos, or both; at least one field is required.
         *
         *     API key or session. Admins and owners.
         */
        put: operations["updateAccount"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes both logos
         * @description Removes both logos. Succeeds if there are none.
         *
         *     API key or session. Admins and owners.
         */
        delete: operations["deleteAccountLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists what happened in the account in the last 24 hours, newest first
         * @description Lists what happened in the account in the last 24 hours, newest first.
         *
         *     API key or session.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/api-keys/{api_key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads when an API key was last used
         * @description Reads when an API key was last used.
         *
         *     API key or session.
         */
        get: operations["readApiKeyAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the figures of the account
         * @description Reads the figures of the account: Sparks, vaults, ingots, transfers and operations.
         *
         *     API key or session.
         */
        get: operations["readAnalyticsOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/spark-activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads how many Sparks were created in each hour or on each day
         * @description Reads how many Sparks were created in each hour or on each day.
         *
         *     API key or session.
         */
        get: operations["readSparkActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/usage-over-time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads how many operations, Sparks, vaults and ingots there were in each hour or day of a period
         * @description Reads how many operations, Sparks, vaults and ingots there were in each hour or day of a period.
         *
         *     API key or session.
         */
        get: operations["readUsageOverTime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/vaults/{vault_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the statistics of a vault
         * @description Reads the statistics of a vault: its ingots, their sizes and its unsealings.
         *
         *     API key or session.
         */
        get: operations["readVaultAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the API keys of the account, newest first, including revoked and expired ones
         * @description Lists the API keys of the account, newest first, including revoked and expired ones.
         *
         *     API key or session.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Creates an API key with full access to the account
         * @description Creates an API key with full access to the account. The key is shown once.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{api_key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes an API key at once
         * @description Revokes an API key at once. Repeating the request succeeds and keeps the first revoked_at.
         *
         *     API key or session. Admins and owners.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the installed integrations, and the ids of all that can be installed
         * @description Lists the installed integrations, and the ids of all that can be installed.
         *
         *     API key or session.
         */
        get: operations["listApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads an integration and whether it is installed
         * @description Reads an integration and whether it is installed.
         *
         *     API key or session.
         */
        get: operations["readApp"];
        /**
         * Merges settings into those of an installed integration
         * @description Merges settings into those of an installed integration.
         *
         *     API key or session. Admins and owners.
         */
        put: operations["updateApp"];
        /**
         * Installs an integration without connecting it to its provider
         * @description Installs an integration without connecting it to its provider; the OAuth callback of the integration does both.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["installApp"];
        /**
         * Uninstalls an integration and disconnects its provider
         * @description Uninstalls an integration and disconnects its provider. Its settings are kept for a later installation.
         *
         *     API key or session. Admins and owners.
         */
        delete: operations["deleteApp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}/oauth/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the consent page of an integration, with a state that the callback accepts from this session alone
         * @description Returns the consent page of an integration, with a state that the callback accepts from this session alone.
         *
         *     Session only; API keys are refused. Admins and owners.
         */
        post: operations["startOAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}/panel/delete-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deletes a file of the record of a panel
         * @description Deletes a file of the record of a panel.
         *
         *     Signed by the provider.
         */
        post: operations["deleteInPanel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}/panel/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a download URL for a file of the record of a panel
         * @description Issues a download URL for a file of the record of a panel.
         *
         *     Signed by the provider.
         */
        post: operations["downloadInPanel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}/panel/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lists the files of the record of a panel
         * @description Lists the files of the record of a panel.
         *
         *     Signed by the provider.
         */
        post: operations["listInPanel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}/panel/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens the panel of a record of a CRM
         * @description Opens the panel of a record of a CRM. The bearer is the fragment of its URL, which works once and for 60 seconds.
         *
         *     Signed by the provider.
         */
        post: operations["openPanel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}/panel/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a link that downloads a file of the record of a panel once
         * @description Creates a link that downloads a file of the record of a panel once.
         *
         *     Signed by the provider.
         */
        post: operations["shareInPanel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}/panel/unseal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens the vault of a panel with a key, for its person and for at most 15 minutes
         * @description Opens the vault of a panel with a key, for its person and for at most 15 minutes.
         *
         *     Signed by the provider.
         */
        post: operations["unsealInPanel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}/panel/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens an upload to the record of a panel
         * @description Opens an upload to the record of a panel.
         *
         *     Signed by the provider.
         */
        post: operations["uploadInPanel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/chatapp/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads how many secrets were sent and viewed in the chat, by person and day
         * @description Reads how many secrets were sent and viewed in the chat, by person and day.
         *
         *     API key or session.
         */
        get: operations["readChatAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/chatapp/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges the authorization code of the chat app and installs it
         * @description Exchanges the authorization code of the chat app and installs it. Installed already, it is authorized again.
         *
         *     Session only; API keys are refused. Admins and owners.
         */
        post: operations["connectChatapp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/chatapp/uninstall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Uninstalls the chat app and revokes its token
         * @description Uninstalls the chat app and revokes its token. Secrets that are not yet viewed cannot be viewed any more.
         *
         *     API key or session. Admins and owners.
         */
        delete: operations["disconnectChatapp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/chatapp/webhooks/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receives the command /secret of the chat platform, which signs it in the header X-Chat-Signature
         * @description Receives the command /secret of the chat platform, which signs it in the header X-Chat-Signature.
         *
         *     Signed by the provider.
         */
        post: operations["receiveChatCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/chatapp/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receives events of the chat platform
         * @description Receives events of the chat platform.
         *
         *     Signed by the provider.
         */
        post: operations["receiveChatEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/chatapp/webhooks/interactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receives submitted modals and pressed buttons of the chat platform
         * @description Receives submitted modals and pressed buttons of the chat platform.
         *
         *     Signed by the provider.
         */
        post: operations["receiveChatInteraction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crma/delete-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deletes a file of a record of crma
         * @description Deletes a file of a record of crma.
         *
         *     Signed by the provider.
         */
        post: operations["deleteCrmaFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crma/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a download URL for a file of a record of crma
         * @description Issues a download URL for a file of a record of crma.
         *
         *     Signed by the provider.
         */
        post: operations["downloadCrmaFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crma/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lists the files of a record of crma
         * @description Lists the files of a record of crma.
         *
         *     Signed by the provider.
         */
        post: operations["listCrmaFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crma/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges the authorization code of crma and installs it for a vault
         * @description Exchanges the authorization code of crma and installs it for a vault. Installed already, it is refused.
         *
         *     Session only; API keys are refused. Admins and owners.
         */
        post: operations["connectCrma"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crma/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finds the vault and the folder of a record of crma
         * @description Finds the vault and the folder of a record of crma. The request is signed by crma.
         *
         *     Signed by the provider.
         */
        post: operations["resolveCrmaRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crma/uninstall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Uninstalls crma and revokes its token
         * @description Uninstalls crma and revokes its token. The files stay in the vault.
         *
         *     API key or session. Admins and owners.
         */
        delete: operations["disconnectCrma"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crma/unseal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens the vault of crma with a key, for one person
         * @description Opens the vault of crma with a key, for one person.
         *
         *     Signed by the provider.
         */
        post: operations["unsealCrmaVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crma/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receives events of crma, which signs them
         * @description Receives events of crma, which signs them. app.deauthorize uninstalls the integration, once crma refuses its tokens.
         *
         *     Signed by the provider.
         */
        post: operations["receiveCrmaEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crmb/delete-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deletes a file of a record of crmb
         * @description Deletes a file of a record of crmb.
         *
         *     Signed by the provider.
         */
        post: operations["deleteCrmbFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crmb/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a download URL for a file of a record of crmb
         * @description Issues a download URL for a file of a record of crmb.
         *
         *     Signed by the provider.
         */
        post: operations["downloadCrmbFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crmb/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lists the files of a record of crmb
         * @description Lists the files of a record of crmb.
         *
         *     Signed by the provider.
         */
        post: operations["listCrmbFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crmb/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges the authorization code of crmb and installs it for a vault
         * @description Exchanges the authorization code of crmb and installs it for a vault. Installed already, it is authorized again.
         *
         *     Session only; API keys are refused. Admins and owners.
         */
        post: operations["connectCrmb"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crmb/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finds the vault and the folder of a record of crmb
         * @description Finds the vault and the folder of a record of crmb. The bearer is a session of the org.
         *
         *     Signed by the provider.
         */
        post: operations["resolveCrmbRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crmb/session-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a new secret for the sessions of the connected org of crmb
         * @description Makes a new secret for the sessions of the connected org of crmb. The former one holds for 24 hours more.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["createCrmbSessionSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crmb/uninstall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Uninstalls crmb and revokes its token
         * @description Uninstalls crmb and revokes its token. The files stay in the vault.
         *
         *     API key or session. Admins and owners.
         */
        delete: operations["disconnectCrmb"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crmb/unseal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens the vault of crmb with a key, for one person
         * @description Opens the vault of crmb with a key, for one person.
         *
         *     Signed by the provider.
         */
        post: operations["unsealCrmbVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crmb/upload-context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns vault, folder and Vault Access Token for an upload to a record of crmb
         * @description Returns vault, folder and Vault Access Token for an upload to a record of crmb.
         *
         *     Signed by the provider.
         */
        post: operations["prepareCrmbUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/crmb/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receives events of crmb with a session of the org
         * @description Receives events of crmb with a session of the org. app.uninstall of an admin uninstalls the integration; that of others once crmb refuses its tokens.
         *
         *     Signed by the provider.
         */
        post: operations["receiveCrmbEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the audit log of the account, newest first
         * @description Lists the audit log of the account, newest first.
         *
         *     API key or session.
         */
        get: operations["listAccountAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records an event of an integration in its audit log
         * @description Records an event of an integration in its audit log.
         *
         *     API key or session.
         */
        post: operations["recordAppEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs/apps/{app_slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists what an integration recorded, newest first
         * @description Lists what an integration recorded, newest first.
         *
         *     API key or session.
         */
        get: operations["listAppAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Streams the audit log of the account as JSON Lines, oldest first, with the proofs by which a third party verifies it offline
         * @description Streams the audit log of the account as JSON Lines, oldest first, with the proofs by which a third party verifies it offline.
         *
         *     API key or session. Admins and owners.
         */
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs/integrity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verifies the newest thousand entries of the account's chain and its last head in the transparency log
         * @description Verifies the newest thousand entries of the account's chain and its last head in the transparency log.
         *
         *     API key or session.
         */
        get: operations["readAuditIntegrity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/complete-signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an organization that the signed-in identity owns, and opens a full session
         * @description Creates an organization that the signed-in identity owns, and opens a full session.
         *
         *     A session that has not completed its sign-up.
         */
        post: operations["completeSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/identity/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a session for an authorization code of the identity provider (OIDC with PKCE)
         * @description Opens a session for an authorization code of the identity provider (OIDC with PKCE).
         *
         *     No credential.
         */
        post: operations["exchangeCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/identity/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a session for an ID token that the caller received from the identity provider
         * @description Opens a session for an ID token that the caller received from the identity provider.
         *
         *     No credential.
         */
        post: operations["verifyIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the session of a refresh token with all of its access tokens
         * @description Ends the session of a refresh token with all of its access tokens. An invalid token succeeds and ends nothing.
         *
         *     No credential.
         */
        post: operations["endSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a refresh token for the next one and a new access token
         * @description Exchanges a refresh token for the next one and a new access token.
         *
         *     No credential.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/viewer-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a viewer token for five minutes
         * @description Issues a viewer token for five minutes. It authorizes no account route.
         *
         *     API key or session.
         */
        post: operations["mintViewerToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/aggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rolls up the usage ledger so far into one summary per type, resource and UTC day
         * @description Rolls up the usage ledger so far into one summary per type, resource and UTC day.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["aggregateTransactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/charge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Collects one open invoice
         * @description Collects one open invoice. Repeating the call returns the paid invoice and charges nothing.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["chargeInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a checkout for a subscription
         * @description Opens a checkout for a subscription. With manual the subscription starts at once, without a page.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["openCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/iap/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validates a purchase in an app of Apple or Google, and starts or renews its subscription
         * @description Validates a purchase in an app of Apple or Google, and starts or renews its subscription.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["validatePurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the invoices of the account with their lines, newest first
         * @description Lists the invoices of the account with their lines, newest first.
         *
         *     API key or session.
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the payment methods of the account, at most 20, oldest first
         * @description Lists the payment methods of the account, at most 20, oldest first.
         *
         *     API key or session.
         */
        get: operations["listPaymentMethods"];
        put?: never;
        /**
         * Adds a payment method
         * @description Adds a payment method: with manual the payment of invoices by bank transfer, with stripe the one that a token names.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["addPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payment-methods/{payment_method_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a payment method
         * @description Deletes a payment method. If it was the default, the newest other one becomes the default.
         *
         *     API key or session. Admins and owners.
         */
        delete: operations["deletePaymentMethod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payment-methods/{payment_method_id}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Makes a payment method the default, which invoices are charged to
         * @description Makes a payment method the default, which invoices are charged to.
         *
         *     API key or session. Admins and owners.
         */
        put: operations["makeDefaultPaymentMethod"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payment-methods/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts the collection of a payment method on a page, without its number passing this API
         * @description Starts the collection of a payment method on a page, without its number passing this API.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["setUpPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens the billing portal of the payment provider
         * @description Opens the billing portal of the payment provider. manual has none: url is null.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["openPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/seats/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buys many seats in one call, or sets their number
         * @description Buys many seats in one call, or sets their number; the same as an adjustment of seats.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["changeSeats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the subscription of the account
         * @description Reads the subscription of the account: plan, seats, blocks and the limits that they give.
         *
         *     API key or session.
         */
        get: operations["readSubscription"];
        put?: never;
        /**
         * Starts a subscription, or replaces the current one
         * @description Starts a subscription, or replaces the current one: a new period of 30 days begins, and what is left of the old one is credited.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["startSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/subscription/adjust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes plan, seats or blocks for the rest of the period, with proration to the second, or cancels at its end
         * @description Changes plan, seats or blocks for the rest of the period, with proration to the second, or cancels at its end. Limits change at once.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["adjustSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/subscription/adjust/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calculates what an adjustment of the subscription would cost
         * @description Calculates what an adjustment of the subscription would cost. Changes nothing.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["previewAdjustment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the usage ledger, newest first
         * @description Lists the usage ledger, newest first; a summary stands for the transactions that were rolled up.
         *
         *     API key or session.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receives events of Stripe, which signs them in the header Stripe-Signature
         * @description Receives events of Stripe, which signs them in the header Stripe-Signature.
         *
         *     Signed by the provider.
         */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the e-mail domains that the account has claimed, at most 10
         * @description Lists the e-mail domains that the account has claimed, at most 10.
         *
         *     API key or session.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Verifies the TXT record and claims the domain
         * @description Verifies the TXT record and claims the domain: other organizations cannot sign up or invite users with its addresses. The record is verified again every week; while it is missing the owners are warned, and after 30 days the claim lapses.
         *
         *     Session only; API keys are refused. Admins and owners.
         */
        post: operations["claimDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Releases a claimed domain
         * @description Releases a claimed domain; other accounts may then claim it.
         *
         *     Session only; API keys are refused. Admins and owners.
         */
        delete: operations["releaseDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the DNS TXT record that proves control of a domain
         * @description Returns the DNS TXT record that proves control of a domain. Stores nothing.
         *
         *     Session only; API keys are refused. Admins and owners.
         */
        post: operations["challengeDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entropy/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generates random data in one of nine formats
         * @description Generates random data in one of nine formats.
         *
         *     API key or session.
         */
        post: operations["generateEntropy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Checks whether the API is available
         * @description Checks whether the API is available.
         *
         *     No credential.
         */
        get: operations["readHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/{invitation_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Joins the organization of an invitation with the signed-in identity, and opens a full session
         * @description Joins the organization of an invitation with the signed-in identity, and opens a full session. Only for the person with the invited e-mail address.
         *
         *     A session that has not completed its sign-up.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/{invitation_id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Declines an invitation
         * @description Declines an invitation. Its seat becomes free, and the organization may invite the person again.
         *
         *     A session that has not completed its sign-up.
         */
        post: operations["declineInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads user, account, role and seat of the caller
         * @description Reads user, account, role and seat of the caller; for an identity-only session the invitations of the person.
         *
         *     API key, or a session of either kind.
         */
        get: operations["readMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/notify/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the configuration of notifications
         * @description Reads the configuration of notifications.
         *
         *     API key or session.
         */
        get: operations["readConfig"];
        /**
         * Merges the given changes into the configuration of notifications
         * @description Merges the given changes into the configuration of notifications; what is absent stays.
         *
         *     API key or session. Admins and owners.
         */
        put: operations["putConfig"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/notify/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the notifications that the account has sent, newest first
         * @description Lists the notifications that the account has sent, newest first.
         *
         *     API key or session.
         */
        get: operations["listSends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/notify/preferences/{recipient_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the preferences of a recipient
         * @description Reads the preferences of a recipient.
         *
         *     API key or session.
         */
        get: operations["readPreferences"];
        /**
         * Sets the preferences of a recipient
         * @description Sets the preferences of a recipient: channels, categories and quiet hours.
         *
         *     API key or session.
         */
        put: operations["putPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/notify/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a sealed notification to up to 500 recipients
         * @description Sends a sealed notification to up to 500 recipients.
         *
         *     API key or session. A Vault Access Token that may write, if the body has ingot.vault_id.
         */
        post: operations["sendNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/notify/sends/{send_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads a send and the state of each recipient and channel
         * @description Reads a send and the state of each recipient and channel.
         *
         *     API key or session.
         */
        get: operations["readSend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/notify/sends/{send_id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a failed delivery again
         * @description Sends a failed delivery again.
         *
         *     API key or session.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/notify/sends/{send_id}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the signed receipts of what recipients did
         * @description Reads the signed receipts of what recipients did.
         *
         *     API key or session.
         */
        get: operations["listReceipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/notify/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the addresses to which no notifications are mailed any more
         * @description Lists the addresses to which no notifications are mailed any more.
         *
         *     API key or session.
         */
        get: operations["listSuppressions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/notify/suppressions/{suppression_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Lifts the suppression of an address
         * @description Lifts the suppression of an address.
         *
         *     API key or session.
         */
        delete: operations["deleteSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/structured-ingots/{vault_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the structured ingots among the first ingots of a vault
         * @description Lists the structured ingots among the first ingots of a vault.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        get: operations["listStructured"];
        put?: never;
        /**
         * Creates a structured ingot, or overwrites all keys of the one with this name
         * @description Creates a structured ingot, or overwrites all keys of the one with this name.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        post: operations["createStructured"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/structured-ingots/{vault_id}/{ingot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the key names of a structured ingot
         * @description Reads the key names of a structured ingot; with ?keys= their values, as Sparks that are read once.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        get: operations["readStructured"];
        put?: never;
        post?: never;
        /**
         * Deletes a structured ingot with all of its keys
         * @description Deletes a structured ingot with all of its keys.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        delete: operations["deleteStructured"];
        options?: never;
        head?: never;
        /**
         * Sets and removes keys of a structured ingot, all of them or none
         * @description Sets and removes keys of a structured ingot, all of them or none.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        patch: operations["updateStructured"];
        trace?: never;
    };
    "/v1/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the user of the session
         * @description Reads the user of the session.
         *
         *     Session only; API keys are refused.
         */
        get: operations["readProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes the name of the user of the session
         * @description Changes the name of the user of the session.
         *
         *     Session only; API keys are refused.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/v1/push-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the registered devices
         * @description Lists the registered devices.
         *
         *     API key or session.
         */
        get: operations["listPushTokens"];
        put?: never;
        /**
         * Registers a device of a recipient for push notifications
         * @description Registers a device of a recipient for push notifications.
         *
         *     API key or session.
         */
        post: operations["registerPushToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push-tokens/{push_token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a registered device
         * @description Deletes a registered device.
         *
         *     API key or session.
         */
        delete: operations["deletePushToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the settings of the account
         * @description Reads the settings of the account.
         *
         *     API key or session.
         */
        get: operations["readSettings"];
        /**
         * Merges the given settings into those of the account, key by key
         * @description Merges the given settings into those of the account, key by key; null removes a key.
         *
         *     API key or session. Admins and owners.
         */
        put: operations["updateSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sparklinks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the SparkLinks of the account, newest first
         * @description Lists the SparkLinks of the account, newest first.
         *
         *     API key or session.
         */
        get: operations["listLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sparklinks/{link_code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads one SparkLink of the account
         * @description Reads one SparkLink of the account.
         *
         *     API key or session.
         */
        get: operations["readLink"];
        put?: never;
        post?: never;
        /**
         * Revokes a SparkLink
         * @description Revokes a SparkLink: it can no longer be opened. Its Spark or ingot is kept.
         *
         *     API key or session.
         */
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sparks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists Sparks without their content, newest first
         * @description Lists Sparks without their content, newest first.
         *
         *     API key or session.
         */
        get: operations["listSparks"];
        put?: never;
        /**
         * Creates a Spark
         * @description Creates a Spark: a secret that can be read once and expires after at most 24 hours.
         *
         *     API key or session.
         */
        post: operations["createSpark"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sparks/{spark_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads a Spark and burns it
         * @description Reads a Spark and burns it: the content is returned exactly once.
         *
         *     API key or session.
         */
        get: operations["readSpark"];
        put?: never;
        post?: never;
        /**
         * Deletes an unread Spark and its link
         * @description Deletes an unread Spark and its link. For an unknown or burned Spark the request succeeds and changes nothing.
         *
         *     API key or session.
         */
        delete: operations["deleteSpark"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sparks/{spark_id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads whether and how a Spark is shared
         * @description Reads whether and how a Spark is shared.
         *
         *     API key or session.
         */
        get: operations["readShare"];
        put?: never;
        post?: never;
        /**
         * Revokes the link of a Spark
         * @description Revokes the link of a Spark; the Spark is kept.
         *
         *     API key or session.
         */
        delete: operations["unshareSpark"];
        options?: never;
        head?: never;
        /**
         * Creates a link that opens a Spark once, or changes who may open it
         * @description Creates a link that opens a Spark once, or changes who may open it.
         *
         *     API key or session.
         */
        patch: operations["shareSpark"];
        trace?: never;
    };
    "/v1/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describes the subscription that an unsubscribe link ends
         * @description Describes the subscription that an unsubscribe link ends. Browsers are redirected to its page.
         *
         *     No credential.
         */
        get: operations["readCategorySubscription"];
        /**
         * Sets which mails of the sender come to the address, and its quiet hours
         * @description Sets which mails of the sender come to the address, and its quiet hours.
         *
         *     No credential.
         */
        put: operations["setMailPreferences"];
        /**
         * Ends the subscription that the link is about, with one request
         * @description Ends the subscription that the link is about, with one request.
         *
         *     No credential.
         */
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/bandwidth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads how many bytes were drawn from the bandwidth pool on each of the last 30 days
         * @description Reads how many bytes were drawn from the bandwidth pool on each of the last 30 days.
         *
         *     API key or session.
         */
        get: operations["readBandwidth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the pools of the account
         * @description Reads the pools of the account: storage, bandwidth and users. The call draws from none of them.
         *
         *     API key or session.
         */
        get: operations["readPools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the users of the account, oldest first, including invited ones
         * @description Lists the users of the account, oldest first, including invited ones.
         *
         *     API key or session.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Invites a person by e-mail
         * @description Invites a person by e-mail. The person signs in with the address and accepts within 14 days; until then DELETE withdraws the invitation.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a user from the account and ends their sessions, or withdraws an invitation
         * @description Removes a user from the account and ends their sessions, or withdraws an invitation. Seat and e-mail address become free.
         *
         *     API key or session. Admins and owners.
         */
        delete: operations["removeUser"];
        options?: never;
        head?: never;
        /**
         * Changes role, seat or name of a user
         * @description Changes role, seat or name of a user; at least one is required. The change applies from the next request on.
         *
         *     API key or session. Admins and owners.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/v1/vaults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the vaults of the account, newest first
         * @description Lists the vaults of the account, newest first. Without a status, vaults that are being deleted are left out.
         *
         *     API key or session.
         */
        get: operations["listVaults"];
        put?: never;
        /**
         * Creates a vault
         * @description Creates a vault. The reply contains its master key, which is shown once and cannot be recovered.
         *
         *     API key or session.
         */
        post: operations["createVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads a vault and whether it is sealed or unsealed now
         * @description Reads a vault and whether it is sealed or unsealed now.
         *
         *     API key or session.
         */
        get: operations["readVault"];
        /**
         * Changes the given fields of a vault
         * @description Changes the given fields of a vault; at least one is required.
         *
         *     API key or session.
         */
        put: operations["updateVault"];
        post?: never;
        /**
         * Deletes a vault with its folders and ingots
         * @description Deletes a vault with its folders and ingots. The content is unreadable at once and removed soon after.
         *
         *     API key or session.
         */
        delete: operations["deleteVault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the audit log of a vault, newest first
         * @description Lists the audit log of a vault, newest first.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        get: operations["listVaultAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/dvaks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the delegated keys of a vault, newest first, including revoked ones
         * @description Lists the delegated keys of a vault, newest first, including revoked ones.
         *
         *     API key or session. Admins and owners.
         */
        get: operations["listDvaks"];
        put?: never;
        /**
         * Creates a delegated key for a vault
         * @description Creates a delegated key for a vault: a revocable key for one user or for a program.
         *
         *     API key or session. Admins and owners.
         */
        post: operations["createDvak"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/dvaks/{last4}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes a delegated key and the Vault Access Tokens that were issued for it, at once
         * @description Revokes a delegated key and the Vault Access Tokens that were issued for it, at once.
         *
         *     API key or session. Admins and owners.
         */
        delete: operations["revokeDvak"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the folders of a vault, ordered by the start of their names
         * @description Lists the folders of a vault, ordered by the start of their names. Without a parent_id, folders of all levels are listed.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        get: operations["listFolders"];
        put?: never;
        /**
         * Creates a folder in a vault
         * @description Creates a folder in a vault. Folders nest at most 32 levels deep.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        post: operations["createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/folders/{folder_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads a folder and its path
         * @description Reads a folder and its path.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        get: operations["readFolder"];
        put?: never;
        post?: never;
        /**
         * Deletes an empty folder
         * @description Deletes an empty folder.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        delete: operations["deleteFolder"];
        options?: never;
        head?: never;
        /**
         * Renames a folder, moves it with its content, or both
         * @description Renames a folder, moves it with its content, or both; at least one field is required.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        patch: operations["updateFolder"];
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists at most 200 ingots of a vault, from all folders and including managed ones
         * @description Lists at most 200 ingots of a vault, from all folders and including managed ones.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        get: operations["listIngots"];
        put?: never;
        /**
         * Opens an upload for a new ingot, or for new content of the ingot with this name
         * @description Opens an upload for a new ingot, or for new content of the ingot with this name.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        post: operations["createIngot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots/{ingot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the metadata of an ingot
         * @description Reads the metadata of an ingot.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        get: operations["readIngot"];
        /**
         * Opens an upload for new content of an ingot
         * @description Opens an upload for new content of an ingot. Downloads return the old content until it is complete.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        put: operations["replaceIngot"];
        post?: never;
        /**
         * Deletes an ingot with its content
         * @description Deletes an ingot with its content. An ingot whose first upload started within the last hour is not deleted.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        delete: operations["deleteIngot"];
        options?: never;
        head?: never;
        /**
         * Renames an ingot, moves it, or both
         * @description Renames an ingot, moves it, or both; at least one field is required.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        patch: operations["updateIngot"];
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots/{ingot_id}/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the audit log of an ingot, newest first
         * @description Lists the audit log of an ingot, newest first.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        get: operations["listIngotAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots/{ingot_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a download URL for the content of an ingot
         * @description Issues a download URL for the content of an ingot: single-use, or reusable for streaming.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        post: operations["downloadIngot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots/{ingot_id}/sharing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads whether and how an ingot is shared
         * @description Reads whether and how an ingot is shared.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        get: operations["readSharing"];
        /**
         * Shares an ingot under a durable link, changes who may open the link, or ends the sharing
         * @description Shares an ingot under a durable link, changes who may open the link, or ends the sharing.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        put: operations["updateSharing"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invites an identity to an ingot that is shared with invited people only, and sends the invitation
         * @description Invites an identity to an ingot that is shared with invited people only, and sends the invitation.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        post: operations["inviteToIngot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite/{invite_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes an invite
         * @description Revokes an invite: the invited identity can no longer open the link.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        delete: operations["revokeInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite/{invite_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends an invitation again
         * @description Sends an invitation again.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        post: operations["resendInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a link that downloads the current content of an ingot once
         * @description Creates a link that downloads the current content of an ingot once.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        post: operations["createIngotLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks/{code}/deliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a one-time link by e-mail or SMS
         * @description Sends a one-time link by e-mail or SMS.
         *
         *     API key or session. A Vault Access Token that may write.
         */
        post: operations["deliverIngotLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/ingots/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Searches the ingots of a vault by name prefix, file type and size
         * @description Searches the ingots of a vault by name prefix, file type and size.
         *
         *     API key or session. A Vault Access Token that may read.
         */
        get: operations["searchIngots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/seal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Seals a vault
         * @description Seals a vault: all of its Vault Access Tokens are invalid when the reply arrives.
         *
         *     API key or session.
         */
        post: operations["sealVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/unseal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unseals a vault with its master key or a delegated key, and returns a Vault Access Token for at most 24 hours
         * @description Unseals a vault with its master key or a delegated key, and returns a Vault Access Token for at most 24 hours.
         *
         *     API key or session.
         */
        post: operations["unsealVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vaults/{vault_id}/upload-sources/{source}/ingots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens an upload through the portal or widget of a vault, if it is enabled
         * @description Opens an upload through the portal or widget of a vault, if it is enabled.
         *
         *     API key or session.
         */
        post: operations["uploadThroughSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
};
export type webhooks = Record<string, never>;
export type components = {
    schemas: {
        /**
         * @example {
         *       "send_id": "ntsnd_Gk6wT2vQx8ZrN4mLb9YsPd",
         *       "recipients": 1,
         *       "status": "pending",
         *       "idempotent": false
         *     }
         */
        AcceptedSend: {
            /** @description Whether this send_id existed already: nothing was sent again. */
            idempotent: boolean;
            /** @description Distinct recipients. */
            recipients: number;
            send_id: string;
            /**
             * @description Written once, on acceptance.
             * @enum {string}
             */
            status: "pending";
        };
        /**
         * @example {
         *       "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *       "organization_name": "Example Ltd.",
         *       "status": "active",
         *       "logo_url_light": null,
         *       "logo_url_dark": null,
         *       "created_at": 1795600000
         *     }
         */
        Account: {
            account_id: string;
            created_at: number;
            /** Format: uri */
            logo_url_dark: string | null;
            /** Format: uri */
            logo_url_light: string | null;
            organization_name: string;
            /** @enum {string} */
            status: "active" | "suspended";
        };
        /**
         * @example {
         *       "organization_name": "Example Ltd."
         *     }
         */
        AccountChange: {
            /**
             * Format: uri
             * @description Logo for dark pages; null removes it.
             */
            logo_url_dark?: string | null;
            /**
             * Format: uri
             * @description Logo for light pages; null removes it.
             */
            logo_url_light?: string | null;
            organization_name?: string;
        };
        /**
         * @example {
         *       "settings": {
         *         "theme": "dark"
         *       }
         *     }
         */
        AccountSettings: {
            settings: Record<string, unknown>;
        };
        /**
         * @example {
         *       "events": [
         *         {
         *           "event_id": "01a2137f-587f-73d1-bab6-e9abe32a5d9e",
         *           "event_type": "spark_created",
         *           "description": "Spark created",
         *           "icon": "spark",
         *           "reference_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *           "vault_id": null,
         *           "timestamp": 1795600000,
         *           "datetime": "2026-11-25T09:46:40Z"
         *         }
         *       ],
         *       "count": 1,
         *       "period": "day",
         *       "filtered_by": null
         *     }
         */
        Activity: {
            /** @description The number of the listed events. */
            count: number;
            /** @description Newest first. */
            events: components["schemas"]["ActivityEvent"][];
            /** @description event_type as requested; null without one. */
            filtered_by: string | null;
            /** @description As requested. */
            period: string;
        };
        /**
         * @example {
         *       "event_id": "01a2137f-587f-73d1-bab6-e9abe32a5d9e",
         *       "event_type": "spark_created",
         *       "description": "Spark created",
         *       "icon": "spark",
         *       "reference_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *       "vault_id": null,
         *       "timestamp": 1795600000,
         *       "datetime": "2026-11-25T09:46:40Z"
         *     }
         */
        ActivityEvent: {
            /** @description The same in ISO 8601. */
            datetime: string;
            description: string;
            event_id: string;
            /** @description For example spark_created or sparklink_create. */
            event_type: string;
            /** @description The name of an icon: spark, link, vault, key, folder, file, table, random. */
            icon: string;
            /** @description The Spark, vault, ingot or other resource. */
            reference_id: string | null;
            timestamp: number;
            vault_id: string | null;
        };
        /**
         * @example {
         *       "subscription": {
         *         "status": "active",
         *         "biller": "manual",
         *         "plan": "team",
         *         "seats": 2,
         *         "storage_blocks": 0,
         *         "bandwidth_blocks": 0,
         *         "allowance": {
         *           "storage_bytes": 1099511627776,
         *           "bandwidth_bytes": 2199023255552,
         *           "seats": 17
         *         },
         *         "price": {
         *           "amount": 5700,
         *           "currency": "eur"
         *         },
         *         "credit_balance": {
         *           "amount": 0,
         *           "currency": "eur"
         *         },
         *         "current_period_start": 1795600000,
         *         "current_period_end": 1798192000,
         *         "cancel_at_period_end": false,
         *         "version": 2
         *       },
         *       "invoice": {
         *         "invoice_id": "in_Bd8yR3nWq6XvM2kLs9TpZj",
         *         "status": "open",
         *         "billing_reason": "subscription_update",
         *         "lines": [
         *           {
         *             "item": "seat",
         *             "plan": "team",
         *             "quantity": 2,
         *             "unit_price": {
         *               "amount": 400,
         *               "currency": "eur"
         *             },
         *             "amount": {
         *               "amount": 800,
         *               "currency": "eur"
         *             },
         *             "proration": false,
         *             "period_start": 1795600000,
         *             "period_end": 1798192000
         *           }
         *         ],
         *         "total": {
         *           "amount": 800,
         *           "currency": "eur"
         *         },
         *         "credit_applied": {
         *           "amount": 0,
         *           "currency": "eur"
         *         },
         *         "amount_due": {
         *           "amount": 800,
         *           "currency": "eur"
         *         },
         *         "created_at": 1795600000,
         *         "paid_at": null
         *       }
         *     }
         */
        AdjustedSubscription: {
            /** @description null: the change costs nothing. */
            invoice: components["schemas"]["Invoice"] | null;
            subscription: components["schemas"]["Subscription"];
        };
        /**
         * @example {
         *       "seats": 2
         *     }
         */
        Adjustment: {
            /** @description The instant of the preview, at most ten minutes ago; needs version. Without it: the instant of the call. */
            as_of?: number;
            /** @description Blocks of bandwidth bought. */
            bandwidth_blocks?: number;
            /** @description true: ends the subscription with its period. false: renews it. */
            cancel_at_period_end?: boolean;
            plan?: string;
            /** @description Seats in addition to those of the plan. */
            seats?: number;
            /** @description Blocks of storage bought. */
            storage_blocks?: number;
            /** @description The version of the preview. Another one now is SUBSCRIPTION_CHANGED. */
            version?: number;
        };
        /**
         * @example {
         *       "subscription": {
         *         "status": "active",
         *         "biller": "manual",
         *         "plan": "team",
         *         "seats": 2,
         *         "storage_blocks": 0,
         *         "bandwidth_blocks": 0,
         *         "allowance": {
         *           "storage_bytes": 1099511627776,
         *           "bandwidth_bytes": 2199023255552,
         *           "seats": 17
         *         },
         *         "price": {
         *           "amount": 5700,
         *           "currency": "eur"
         *         },
         *         "credit_balance": {
         *           "amount": 0,
         *           "currency": "eur"
         *         },
         *         "current_period_start": 1795600000,
         *         "current_period_end": 1798192000,
         *         "cancel_at_period_end": false,
         *         "version": 2
         *       },
         *       "invoice": {
         *         "invoice_id": null,
         *         "status": "open",
         *         "billing_reason": "subscription_update",
         *         "lines": [
         *           {
         *             "item": "seat",
         *             "plan": "team",
         *             "quantity": 2,
         *             "unit_price": {
         *               "amount": 400,
         *               "currency": "eur"
         *             },
         *             "amount": {
         *               "amount": 800,
         *               "currency": "eur"
         *             },
         *             "proration": false,
         *             "period_start": 1795600000,
         *             "period_end": 1798192000
         *           }
         *         ],
         *         "total": {
         *           "amount": 800,
         *           "currency": "eur"
         *         },
         *         "credit_applied": {
         *           "amount": 0,
         *           "currency": "eur"
         *         },
         *         "amount_due": {
         *           "amount": 800,
         *           "currency": "eur"
         *         },
         *         "created_at": 1795600000,
         *         "paid_at": null
         *       },
         *       "version": 2,
         *       "as_of": 1795600000
         *     }
         */
        AdjustmentPreview: {
            /** @description The instant that the proration is calculated for. */
            as_of: number;
            /** @description The invoice without its id. null: no cost. */
            invoice: components["schemas"]["Invoice"] | null;
            /** @description The subscription as it would be. */
            subscription: components["schemas"]["Subscription"];
            /** @description The version that the preview is of. */
            version: number;
        };
        /**
         * @example {
         *       "aggregated_count": 26,
         *       "summary_count": 7,
         *       "aggregated_until": 1795600000,
         *       "has_more": false
         *     }
         */
        AggregatedTransactions: {
            /** @description Transactions that summaries contain now, and that lists hide by default. */
            aggregated_count: number;
            /** @description Transactions up to this time were rolled up. */
            aggregated_until: number;
            /** @description The time of the call ended before all transactions were rolled up: call again. */
            has_more: boolean;
            /** @description Summaries, one per type, resource and UTC day, that were made or increased. */
            summary_count: number;
        };
        /**
         * @example {
         *       "storage_bytes": 1099511627776,
         *       "bandwidth_bytes": 2199023255552,
         *       "seats": 17
         *     }
         */
        Allowance: {
            /** @description Per cycle of 30 days. */
            bandwidth_bytes: number;
            /** @description Users, those of the plan included. */
            seats: number;
            storage_bytes: number;
        };
        /**
         * @example {
         *       "period": "all",
         *       "period_start": 1793008000,
         *       "period_end": 1795600000,
         *       "period_days": 30,
         *       "sparks": {
         *         "total": 120,
         *         "active": 8,
         *         "burned": 109,
         *         "expired": 3,
         *         "created_this_period": 45,
         *         "rate_per_day": 1.5
         *       },
         *       "vaults": {
         *         "total": 4,
         *         "active": 3,
         *         "created_this_period": 1,
         *         "rate_per_day": 0.03
         *       },
         *       "ingots": {
         *         "total": 12,
         *         "storage_bytes": 48211004,
         *         "storage_mb": 45.98,
         *         "storage_gb": 0.04
         *       },
         *       "transfers": {
         *         "total_access_count": 37,
         *         "total_bytes": 51904112,
         *         "total_mb": 49.5,
         *         "total_gb": 0.05
         *       },
         *       "activity": {
         *         "total_operations": 360,
         *         "operations_per_day": 12
         *       }
         *     }
         */
        AnalyticsOverview: {
            activity: components["schemas"]["OperationFigures"];
            ingots: components["schemas"]["IngotFigures"];
            /** @description The period as requested; all without one. */
            period: string;
            period_days: number;
            /** @description Now. */
            period_end: number;
            period_start: number;
            sparks: components["schemas"]["SparkFigures"];
            transfers: components["schemas"]["TransferFigures"];
            vaults: components["schemas"]["VaultFigures"];
        };
        /**
         * @example {
         *       "api_key_id": "key_Vn3xQ7mTz5RkB2pLs8YwFa",
         *       "name": "Backup job",
         *       "key_preview": "vk_live_...IVJv",
         *       "status": "active",
         *       "created_at": 1795600000
         *     }
         */
        AnalyzedApiKey: {
            api_key_id: string;
            created_at: number;
            /** @description The last four characters of the key, masked. */
            key_preview: string;
            name: string;
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
        };
        /**
         * @example {
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *       "name": "Contracts",
         *       "status": "unsealed",
         *       "created_at": 1795600000
         *     }
         */
        AnalyzedVault: {
            created_at: number;
            name: string;
            /** @enum {string} */
            status: "sealed" | "unsealed";
            vault_id: string;
        };
        /**
         * @example {
         *       "api_key_id": "key_Vn3xQ7mTz5RkB2pLs8YwFa",
         *       "name": "Backup job",
         *       "key_preview": "vk_live_...IVJv",
         *       "status": "active",
         *       "created_at": 1795600000,
         *       "last_used_at": 1795603600,
         *       "expires_at": null,
         *       "revoked_at": null
         *     }
         */
        ApiKey: {
            api_key_id: string;
            created_at: number;
            /** @description null: the key does not expire. */
            expires_at: number | null;
            /** @description The last four characters of the key, masked. */
            key_preview: string;
            /** @description null until the first use. */
            last_used_at: number | null;
            name: string;
            revoked_at: number | null;
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
        };
        /**
         * @example {
         *       "api_key": {
         *         "api_key_id": "key_Vn3xQ7mTz5RkB2pLs8YwFa",
         *         "name": "Backup job",
         *         "key_preview": "vk_live_...IVJv",
         *         "status": "active",
         *         "created_at": 1795600000
         *       },
         *       "usage": {
         *         "last_used_at": 1796636800,
         *         "days_since_last_used": 2,
         *         "days_since_creation": 14,
         *         "is_active": true
         *       },
         *       "note": "Metrics of single requests are not included."
         *     }
         */
        ApiKeyAnalytics: {
            api_key: components["schemas"]["AnalyzedApiKey"];
            note: string;
            usage: components["schemas"]["ApiKeyUsage"];
        };
        /**
         * @example {
         *       "api_keys": [
         *         {
         *           "api_key_id": "key_Vn3xQ7mTz5RkB2pLs8YwFa",
         *           "name": "Backup job",
         *           "key_preview": "vk_live_...IVJv",
         *           "status": "active",
         *           "created_at": 1795600000,
         *           "last_used_at": 1795603600,
         *           "expires_at": null,
         *           "revoked_at": null
         *         }
         *       ],
         *       "count": 1,
         *       "active": 1,
         *       "has_more": false
         *     }
         */
        ApiKeyPage: {
            /** @description Active keys on this page. */
            active: number;
            api_keys: components["schemas"]["ApiKey"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "last_used_at": 1796636800,
         *       "days_since_last_used": 2,
         *       "days_since_creation": 14,
         *       "is_active": true
         *     }
         */
        ApiKeyUsage: {
            days_since_creation: number;
            /** @description null until the first use. */
            days_since_last_used: number | null;
            /** @description Whether the key was used in the last 30 days. */
            is_active: boolean;
            /** @description null until the first use. */
            last_used_at: number | null;
        };
        /**
         * @example {
         *       "app_id": "crma",
         *       "status": "active",
         *       "installed": true,
         *       "installed_at": 1795600000,
         *       "settings": {
         *         "language": "en"
         *       },
         *       "remote_id": "62515000",
         *       "name": "CRM A",
         *       "description": "Keep encrypted files on the records of the CRM, one folder for each record.",
         *       "category": "integrations",
         *       "features": [
         *         "A file panel on every record",
         *         "One folder for each record",
         *         "Access by master or delegated key"
         *       ],
         *       "pricing": {
         *         "operations": {
         *           "upload": {
         *             "price": "storage, bandwidth",
         *             "description": "The bytes of the file."
         *           },
         *           "download": {
         *             "price": "bandwidth",
         *             "description": "The bytes of the file."
         *           },
         *           "list": {
         *             "price": "free",
         *             "description": "Lists, deletes and unseals cost nothing."
         *           }
         *         },
         *         "description": "Included in every plan; files draw from the pools of the account."
         *       },
         *       "oauth_required": true,
         *       "account": {
         *         "organization_name": "Example Ltd.",
         *         "logo_url_light": null,
         *         "logo_url_dark": null
         *       }
         *     }
         */
        App: {
            account: components["schemas"]["AppAccount"];
            /** @enum {string} */
            app_id: "chatapp" | "crma" | "crmb";
            /** @enum {string} */
            category: "integrations";
            description: string;
            features: string[];
            installed: boolean;
            /** @description null: not installed. */
            installed_at: number | null;
            name: string;
            /** @description Whether the integration is connected by OAuth. */
            oauth_required: boolean;
            pricing: components["schemas"]["AppPricing"];
            /** @description The workspace, portal or org of the provider. One account at a time can be bound to it. */
            remote_id: string | null;
            settings: Record<string, unknown>;
            /**
             * @description suspended: its installer has left, and no owner could take over. Change or connect it to go on.
             * @enum {string}
             */
            status: "active" | "suspended" | "not_installed";
        };
        /**
         * @example {
         *       "organization_name": "Example Ltd.",
         *       "logo_url_light": null,
         *       "logo_url_dark": null
         *     }
         */
        AppAccount: {
            /** Format: uri */
            logo_url_dark: string | null;
            /** Format: uri */
            logo_url_light: string | null;
            organization_name: string;
        };
        /**
         * @example {
         *       "event_id": "27166b60-b4ff-4d5c-9f08-f72ffc763576",
         *       "event_type": "secret_sent",
         *       "timestamp": 1795600000,
         *       "details": {
         *         "channel": "general",
         *         "actor": {
         *           "kind": "api_key",
         *           "id": "key_Vn3xQ7mTz5RkB2pLs8YwFa"
         *         }
         *       },
         *       "actor_type": "api_key",
         *       "actor_display": "Backup job"
         *     }
         */
        AppEventEntry: {
            /** @description The e-mail address of the user or the name of the API key; its id once a user is removed. */
            actor_display: string | null;
            /**
             * @description null for integrations, visitors of links and jobs, whom `details.actor` names.
             * @enum {string|null}
             */
            actor_type: "user" | "api_key" | null;
            /** @description Fields that depend on the type, and the exact `actor`: its `kind` (person, api_key, app, visitor, job or operator) and `id`; of an integration also `app`, its `portal`, `org` or `team`, and the `person` by the id of the provider. Entries of releases before this field have none. */
            details: Record<string, unknown>;
            /** @description A UUID. */
            event_id: string;
            event_type: string;
            timestamp: number;
        };
        /**
         * @example {
         *       "installed": [
         *         {
         *           "app_id": "crma",
         *           "status": "active",
         *           "installed_at": 1795600000,
         *           "settings": {
         *             "language": "en"
         *           }
         *         }
         *       ],
         *       "available": [
         *         "chatapp",
         *         "crma",
         *         "crmb"
         *       ]
         *     }
         */
        AppList: {
            /** @description The ids of all integrations, installed or not. */
            available: string[];
            installed: components["schemas"]["InstalledApp"][];
        };
        /**
         * @example {
         *       "operations": {
         *         "upload": {
         *           "price": "storage, bandwidth",
         *           "description": "The bytes of the file."
         *         },
         *         "download": {
         *           "price": "bandwidth",
         *           "description": "The bytes of the file."
         *         },
         *         "list": {
         *           "price": "free",
         *           "description": "Lists, deletes and unseals cost nothing."
         *         }
         *       },
         *       "description": "Included in every plan; files draw from the pools of the account."
         *     }
         */
        AppPricing: {
            description: string;
            /** @description By operation. */
            operations: {
                [key: string]: components["schemas"]["OperationPrice"];
            };
        };
        /**
         * @example {
         *       "event_id": "27166b60-b4ff-4d5c-9f08-f72ffc763576",
         *       "event_type": "ingot_created",
         *       "timestamp": 1795600000,
         *       "details": {
         *         "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *         "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *         "actor": {
         *           "kind": "api_key",
         *           "id": "key_Vn3xQ7mTz5RkB2pLs8YwFa"
         *         }
         *       },
         *       "actor_type": "api_key",
         *       "actor_display": "Backup job"
         *     }
         */
        AuditEntry: {
            /** @description The e-mail address of the user or the name of the API key; its id once a user is removed. */
            actor_display: string | null;
            /**
             * @description null for integrations, visitors of links and jobs, whom `details.actor` names.
             * @enum {string|null}
             */
            actor_type: "user" | "api_key" | null;
            /** @description Fields that depend on the type, and the exact `actor`: its `kind` (person, api_key, app, visitor, job or operator) and `id`; of an integration also `app`, its `portal`, `org` or `team`, and the `person` by the id of the provider. Entries of releases before this field have none. */
            details: Record<string, unknown>;
            /** @description A UUID. */
            event_id: string;
            event_type: string;
            timestamp: number;
        };
        /**
         * @example {
         *       "state": "verified",
         *       "entries": 94,
         *       "logged_entries": 94,
         *       "tree_size": 94,
         *       "origin": "api.example.com/v1/audit-logs/log",
         *       "keys": [
         *         "api.example.com/v1/audit-logs/log+f81e2213+AV4aOZ8AD/hf7OmjUsWPyaOAys8OmySTZxbVtecJvx00"
         *       ]
         *     }
         */
        AuditIntegrity: {
            /** @description Entries of the account, erased ones included. */
            entries: number;
            /** @description The keys that verify checkpoints, as vkeys of C2SP. */
            keys: string[];
            /** @description The newest entry that the log covers; 0: none. */
            logged_entries: number;
            /** @description The name of the log in its checkpoints. */
            origin: string;
            /**
             * @description verified: the newest entries follow from each other, and the log contains the last published head. pending: the log has no head of this account yet. broken: export the log and verify it offline.
             * @enum {string}
             */
            state: "verified" | "pending" | "broken";
            /** @description Leaves of the log under its last checkpoint. */
            tree_size: number;
        };
        /**
         * @example {
         *       "entries": [
         *         {
         *           "event_id": "27166b60-b4ff-4d5c-9f08-f72ffc763576",
         *           "event_type": "secret_sent",
         *           "timestamp": 1795600000,
         *           "details": {
         *             "channel": "general",
         *             "actor": {
         *               "kind": "api_key",
         *               "id": "key_Vn3xQ7mTz5RkB2pLs8YwFa"
         *             }
         *           },
         *           "actor_type": "api_key",
         *           "actor_display": "Backup job"
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false
         *     }
         */
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "code": "b4a9c1d27e",
         *       "redirect_uri": "https://app.example.com/callback"
         *     }
         */
        Authorization: {
            /** @description The code in the query of the redirect. */
            code: string;
            /** @description The redirect_uri of the authorization request, unchanged. */
            redirect_uri: string;
            /** @description The state of the redirect, as `POST /v1/apps/{app_id}/oauth/start` gave it to this session. Send it: it proves that this session asked for the code (RFC 6749, 10.12). */
            state?: string;
        };
        /**
         * @example {
         *       "code": "b4a9c1d27e",
         *       "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
         *     }
         */
        AuthorizationCode: {
            /** @description The authorization code from the identity provider. */
            code: string;
            /** @description The PKCE code verifier. Its S256 challenge was sent with the authorization request. */
            code_verifier: string;
        };
        /**
         * @example {
         *       "days": [
         *         {
         *           "timestamp": 1795564800,
         *           "bytes": 2965806
         *         }
         *       ],
         *       "total_bytes": 2965806
         *     }
         */
        BandwidthByDay: {
            /** @description Oldest first; the first and the last day are partial, days without usage are included. */
            days: components["schemas"]["BandwidthDay"][];
            /** @description The sum of the days. */
            total_bytes: number;
        };
        /**
         * @example {
         *       "timestamp": 1795564800,
         *       "bytes": 2965806
         *     }
         */
        BandwidthDay: {
            /** @description Bytes that were drawn from the bandwidth pool. */
            bytes: number;
            /** @description The start of the day. */
            timestamp: number;
        };
        /**
         * @example {
         *       "used": 1,
         *       "limit": 100,
         *       "pct": 1,
         *       "state": "ok",
         *       "cycle_resets_at": 1798192000
         *     }
         */
        BandwidthPool: {
            /** @description The end of the cycle of 30 days; used then starts at 0. */
            cycle_resets_at: number;
            /** @description Bytes; users for the pool identity. */
            limit: number;
            /** @description used divided by limit; above 1 where more is used. */
            pct: number;
            /**
             * @description notice from 75 % of the limit, warning from 90 %, exhausted from 100 %.
             * @enum {string}
             */
            state: "ok" | "notice" | "warning" | "exhausted";
            /** @description Bytes; users for the pool identity. */
            used: number;
        };
        /**
         * @example {
         *       "provider": "manual",
         *       "url": null
         *     }
         */
        BillingPortal: {
            /** @enum {string} */
            provider: "manual" | "stripe";
            /** @description null: manual has no portal. */
            url: string | null;
        };
        /**
         * @example {
         *       "category": "news",
         *       "channel": null
         *     }
         */
        CategoryOptOut: {
            /** @description Compared without regard to case. */
            category: string;
            /**
             * @description null: all channels.
             * @enum {string|null}
             */
            channel?: "in_app" | "websocket" | "email" | "sms" | "push" | "web_push" | "voice" | "whatsapp" | "rcs" | "webhook" | "slack" | "teams" | null;
        };
        /**
         * @example {
         *       "unsubscribed": false,
         *       "channel": "email",
         *       "category": null,
         *       "organization_name": "Example Ltd.",
         *       "address": "a…@example.com",
         *       "all_mails_off": false,
         *       "categories": [
         *         {
         *           "category": "news",
         *           "is_on": true
         *         }
         *       ],
         *       "quiet_hours": {
         *         "from": "22:00",
         *         "to": "07:00",
         *         "time_zone": "Europe/Berlin"
         *       }
         *     }
         */
        CategorySubscription: {
            /** @description Masked. null: an older link, which does not name it. */
            address: string | null;
            /** @description Whether all mails of the sender are off. */
            all_mails_off: boolean;
            /** @description Of the mails to this address, and those that are off. */
            categories: components["schemas"]["MailCategory"][];
            /** @description null: all categories. */
            category: string | null;
            channel: string;
            /** @description The sender. */
            organization_name: string;
            /** @description null: none. */
            quiet_hours: components["schemas"]["QuietHours"] | null;
            /** @description Whether mails of this kind are off for the address. */
            unsubscribed: boolean;
        };
        /**
         * @example {
         *       "subscription": {
         *         "status": "active",
         *         "biller": "manual",
         *         "plan": "team",
         *         "seats": 2,
         *         "storage_blocks": 0,
         *         "bandwidth_blocks": 0,
         *         "allowance": {
         *           "storage_bytes": 1099511627776,
         *           "bandwidth_bytes": 2199023255552,
         *           "seats": 17
         *         },
         *         "price": {
         *           "amount": 5700,
         *           "currency": "eur"
         *         },
         *         "credit_balance": {
         *           "amount": 0,
         *           "currency": "eur"
         *         },
         *         "current_period_start": 1795600000,
         *         "current_period_end": 1798192000,
         *         "cancel_at_period_end": false,
         *         "version": 2
         *       },
         *       "invoice": {
         *         "invoice_id": "in_Bd8yR3nWq6XvM2kLs9TpZj",
         *         "status": "open",
         *         "billing_reason": "subscription_create",
         *         "lines": [
         *           {
         *             "item": "plan",
         *             "plan": "team",
         *             "quantity": 1,
         *             "unit_price": {
         *               "amount": 4900,
         *               "currency": "eur"
         *             },
         *             "amount": {
         *               "amount": 4900,
         *               "currency": "eur"
         *             },
         *             "proration": false,
         *             "period_start": 1795600000,
         *             "period_end": 1798192000
         *           },
         *           {
         *             "item": "seat",
         *             "plan": "team",
         *             "quantity": 2,
         *             "unit_price": {
         *               "amount": 400,
         *               "currency": "eur"
         *             },
         *             "amount": {
         *               "amount": 800,
         *               "currency": "eur"
         *             },
         *             "proration": false,
         *             "period_start": 1795600000,
         *             "period_end": 1798192000
         *           }
         *         ],
         *         "total": {
         *           "amount": 5700,
         *           "currency": "eur"
         *         },
         *         "credit_applied": {
         *           "amount": 0,
         *           "currency": "eur"
         *         },
         *         "amount_due": {
         *           "amount": 5700,
         *           "currency": "eur"
         *         },
         *         "created_at": 1795600000,
         *         "paid_at": null
         *       }
         *     }
         */
        ChangedSubscription: {
            /** @description null: the change costs nothing. */
            invoice: components["schemas"]["Invoice"] | null;
            subscription: components["schemas"]["Subscription"];
        };
        /**
         * @example {
         *       "webhook": null,
         *       "slack": null,
         *       "teams": null
         *     }
         */
        ChannelTargetChanges: {
            slack?: components["schemas"]["ChatTarget"] | null;
            teams?: components["schemas"]["ChatTarget"] | null;
            webhook?: components["schemas"]["WebhookTargetChanges"] | null;
        };
        /**
         * @example {
         *       "webhook": null,
         *       "slack": null,
         *       "teams": null
         *     }
         */
        ChannelTargets: {
            slack?: components["schemas"]["ChatTarget"] | null;
            teams?: components["schemas"]["ChatTarget"] | null;
            webhook?: components["schemas"]["WebhookTarget"] | null;
        };
        /**
         * @example {
         *       "type": "usage_records",
         *       "data": {
         *         "records": [
         *           {
         *             "date": "2026-11-25",
         *             "slack_user_id": "U2147483697",
         *             "username": "ana",
         *             "sparks_created": 3,
         *             "sparks_read": 2
         *           }
         *         ],
         *         "truncated": false,
         *         "totals": {
         *           "sparks_created": 3,
         *           "sparks_read": 2
         *         },
         *         "installation": {
         *           "team_id": "T1DC2JH3J",
         *           "team_name": "Example Ltd.",
         *           "installed_at": "2026-11-24T08:15:00.000Z"
         *         }
         *       }
         *     }
         */
        ChatAnalytics: {
            data: components["schemas"]["ChatAnalyticsData"];
            /** @enum {string} */
            type: "usage_records" | "daily_summary";
        };
        /**
         * @example {
         *       "records": [
         *         {
         *           "date": "2026-11-25",
         *           "slack_user_id": "U2147483697",
         *           "username": "ana",
         *           "sparks_created": 3,
         *           "sparks_read": 2
         *         }
         *       ],
         *       "truncated": false,
         *       "totals": {
         *         "sparks_created": 3,
         *         "sparks_read": 2
         *       },
         *       "installation": {
         *         "team_id": "T1DC2JH3J",
         *         "team_name": "Example Ltd.",
         *         "installed_at": "2026-11-24T08:15:00.000Z"
         *       }
         *     }
         */
        ChatAnalyticsData: {
            date?: string;
            installation?: components["schemas"]["ChatWorkspace"];
            records?: components["schemas"]["ChatUsageRecord"][];
            total_sparks_created?: number;
            total_sparks_read?: number;
            totals?: components["schemas"]["ChatUsageTotals"];
            /** @description The range has more records than are read; totals are then partial. */
            truncated?: boolean;
            /** @description Most created first. */
            users?: components["schemas"]["ChatUser"][];
        };
        /**
         * @example {
         *       "response_type": "ephemeral",
         *       "text": "This workspace is not connected. An admin of your organization can install the chat app."
         *     }
         */
        ChatAnswer: {
            /** @description Of url_verification, unchanged. */
            challenge?: string;
            /** @description Messages by block of the modal. */
            errors?: Record<string, unknown>;
            /**
             * @description The modal stays open.
             * @enum {string}
             */
            response_action?: "errors";
            /**
             * @description Only the person who wrote the command sees it.
             * @enum {string}
             */
            response_type?: "ephemeral";
            text?: string;
        };
        /**
         * @example {
         *       "installed": true,
         *       "team_id": "T1DC2JH3J",
         *       "team_name": "Example Ltd.",
         *       "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW"
         *     }
         */
        ChatConnection: {
            account_id: string;
            installed: boolean;
            team_id: string;
            team_name: string;
        };
        /**
         * @example {
         *       "uninstalled": true,
         *       "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *       "team_id": "T1DC2JH3J"
         *     }
         */
        ChatDisconnection: {
            account_id: string;
            /** @description null: no workspace was connected. */
            team_id: string | null;
            /** @description Always true. */
            uninstalled: boolean;
        };
        /**
         * @example {
         *       "url": "url"
         *     }
         */
        ChatTarget: {
            /** @description https URL; on the local profile also http on loopback. */
            url: string;
        };
        /**
         * @example {
         *       "date": "2026-11-24",
         *       "slack_user_id": "slack user id",
         *       "username": "username",
         *       "sparks_created": 1,
         *       "sparks_read": 1
         *     }
         */
        ChatUsageRecord: {
            date: string;
            /** @description The id of the person at the chat platform. */
            slack_user_id: string;
            sparks_created: number;
            sparks_read: number;
            username: string;
        };
        /**
         * @example {
         *       "sparks_created": 1,
         *       "sparks_read": 1
         *     }
         */
        ChatUsageTotals: {
            sparks_created: number;
            sparks_read: number;
        };
        /**
         * @example {
         *       "slack_user_id": "slack user id",
         *       "username": "username",
         *       "sparks_created": 1,
         *       "sparks_read": 1
         *     }
         */
        ChatUser: {
            slack_user_id: string;
            sparks_created: number;
            sparks_read: number;
            username: string;
        };
        /**
         * @example {
         *       "team_id": "T1DC2JH3J",
         *       "team_name": "team name",
         *       "installed_at": "installed at"
         *     }
         */
        ChatWorkspace: {
            /** @description ISO 8601, unlike other times of this API. */
            installed_at: string;
            team_id: string | null;
            team_name: string | null;
        };
        /**
         * @example {
         *       "checkout_id": "cs_Lm4tG8wQz2XrB7nKs5YpAd",
         *       "status": "complete",
         *       "provider": "manual",
         *       "url": null,
         *       "expires_at": null,
         *       "subscription": {
         *         "status": "active",
         *         "biller": "manual",
         *         "plan": "team",
         *         "seats": 2,
         *         "storage_blocks": 0,
         *         "bandwidth_blocks": 0,
         *         "allowance": {
         *           "storage_bytes": 1099511627776,
         *           "bandwidth_bytes": 2199023255552,
         *           "seats": 17
         *         },
         *         "price": {
         *           "amount": 5700,
         *           "currency": "eur"
         *         },
         *         "credit_balance": {
         *           "amount": 0,
         *           "currency": "eur"
         *         },
         *         "current_period_start": 1795600000,
         *         "current_period_end": 1798192000,
         *         "cancel_at_period_end": false,
         *         "version": 2
         *       },
         *       "invoice": {
         *         "invoice_id": "in_Bd8yR3nWq6XvM2kLs9TpZj",
         *         "status": "open",
         *         "billing_reason": "subscription_create",
         *         "lines": [
         *           {
         *             "item": "plan",
         *             "plan": "team",
         *             "quantity": 1,
         *             "unit_price": {
         *               "amount": 4900,
         *               "currency": "eur"
         *             },
         *             "amount": {
         *               "amount": 4900,
         *               "currency": "eur"
         *             },
         *             "proration": false,
         *             "period_start": 1795600000,
         *             "period_end": 1798192000
         *           },
         *           {
         *             "item": "seat",
         *             "plan": "team",
         *             "quantity": 2,
         *             "unit_price": {
         *               "amount": 400,
         *               "currency": "eur"
         *             },
         *             "amount": {
         *               "amount": 800,
         *               "currency": "eur"
         *             },
         *             "proration": false,
         *             "period_start": 1795600000,
         *             "period_end": 1798192000
         *           }
         *         ],
         *         "total": {
         *           "amount": 5700,
         *           "currency": "eur"
         *         },
         *         "credit_applied": {
         *           "amount": 0,
         *           "currency": "eur"
         *         },
         *         "amount_due": {
         *           "amount": 5700,
         *           "currency": "eur"
         *         },
         *         "created_at": 1795600000,
         *         "paid_at": null
         *       }
         *     }
         */
        Checkout: {
            checkout_id: string;
            /** @description When the page closes. null without one. */
            expires_at: number | null;
            /** @description The invoice to pay. null: no cost. */
            invoice: components["schemas"]["Invoice"] | null;
            /** @enum {string} */
            provider: "manual" | "stripe";
            /** @enum {string} */
            status: "open" | "complete";
            /** @description The subscription of the account now. */
            subscription: components["schemas"]["Subscription"];
            /** @description The page to pay on. null: nothing to pay there. */
            url: string | null;
        };
        /**
         * @example {
         *       "domain": {
         *         "domain": "example.com",
         *         "verification_method": "dns_txt",
         *         "txt_name": "_vaultsvc.example.com",
         *         "txt_value": "vaultsvc-domain-verification=g-fGxM4lFG1tAX66yj87eTcTiDXvw1ETtJtFSL9D3JM",
         *         "created_at": 1795600000,
         *         "verified_at": 1795600000
         *       },
         *       "message": "The domain is verified. Nobody else can sign up with its e-mail addresses any more. Keep the record: it is verified again every week."
         *     }
         */
        ClaimedDomain: {
            domain: components["schemas"]["Domain"];
            message: string;
        };
        /**
         * @example {
         *       "api_key_id": "key_Vn3xQ7mTz5RkB2pLs8YwFa",
         *       "api_key": "vk_live_8VpTqZ3mvcXnxY4c3sX665WmoPBuNc3GbQrEyochbgF0aIVJv",
         *       "key_preview": "vk_live_...IVJv",
         *       "name": "Backup job",
         *       "created_at": 1795600000,
         *       "expires_at": null,
         *       "warning": "Store this key now. It will not be shown again."
         *     }
         */
        CreatedApiKey: {
            /** @description The key. Returned only here. */
            api_key: string;
            api_key_id: string;
            created_at: number;
            /** @description null: the key does not expire. */
            expires_at: number | null;
            key_preview: string;
            name: string;
            warning: string;
        };
        /**
         * @example {
         *       "dvak_token": "dvak_Tz14Irsl479ExOtagOkRw5yTDHnHmR3svXeEgEufM6GIc2x7Qa",
         *       "dvak_type": "nhi",
         *       "authorized_user_id": null,
         *       "authorized_user_email": null,
         *       "nhi_description": "Backup job",
         *       "access_level": "read",
         *       "last_4_chars": "x7Qa",
         *       "created_at": 1795600000,
         *       "warning": "Keep this key safe: it opens the vault. It is stored nowhere and is not shown again."
         *     }
         */
        CreatedDvak: {
            /**
             * @description The granted level: always read if the caller has a viewer seat.
             * @enum {string}
             */
            access_level: "read" | "read_write";
            authorized_user_email: string | null;
            authorized_user_id: string | null;
            created_at: number;
            /** @description The delegated key. Returned only here. */
            dvak_token: string;
            /** @enum {string} */
            dvak_type: "user" | "nhi";
            last_4_chars: string;
            nhi_description: string | null;
            warning: string;
        };
        /**
         * @example {
         *       "link_code": "hT5vX9kQm2Zr7nLsB4wYcD",
         *       "link_url": "https://link.example.com/hT5vX9kQm2Zr7nLsB4wYcD",
         *       "expires_at": 1795603600,
         *       "created_at": 1795600000
         *     }
         */
        CreatedIngotLink: {
            created_at: number;
            expires_at: number;
            /** @description Anyone with this code can open the link. */
            link_code: string;
            /** @description The page that opens the link in a browser. */
            link_url: string;
        };
        /**
         * @example {
         *       "invite_id": "inv_Dw2nV7qTk9XrB4mLs6YpHg",
         *       "identity": "carla@example.org",
         *       "type": "email",
         *       "created_at": 1795600000
         *     }
         */
        CreatedInvite: {
            created_at: number;
            identity: string;
            invite_id: string;
            /** @enum {string} */
            type: "email" | "phone";
        };
        /**
         * @example {
         *       "spark_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *       "size_bytes": 28,
         *       "status": "active",
         *       "created_at": 1795600000,
         *       "expires_at": 1795686400,
         *       "ttl_minutes": 1440
         *     }
         */
        CreatedSpark: {
            created_at: number;
            expires_at: number;
            filename?: string;
            kindling?: string;
            /** @description Link Sparks only. */
            link_code?: string;
            /** @description Link Sparks only. */
            link_url?: string;
            /** @description Bytes of the content; binary content is counted decoded. */
            size_bytes: number;
            spark_id: string;
            /** @enum {string} */
            status: "active";
            ttl_minutes: number;
        };
        /**
         * @example {
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *       "name": "Contracts",
         *       "vmk": "vmk_Rm4QhL07dJ2y2MpVOk2atlWkmiZ1sQIRIttOiS5M3SY330Ud8",
         *       "vmk_warning": "Keep this key safe: it is the only one that opens the vault. It is stored nowhere and cannot be shown or recovered again.",
         *       "created_at": 1795600000
         *     }
         */
        CreatedVault: {
            created_at: number;
            name: string;
            vault_id: string;
            /** @description The Vault Master Key. Returned only here and never stored. */
            vmk: string;
            vmk_warning: string;
        };
        /**
         * @example {
         *       "installed": true,
         *       "portal_id": "62515000",
         *       "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc"
         *     }
         */
        CrmaConnection: {
            account_id: string;
            installed: boolean;
            portal_id: string;
            vault_id: string;
        };
        /**
         * @example {
         *       "uninstalled": true,
         *       "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *       "portal_id": "62515000"
         *     }
         */
        CrmaDisconnection: {
            account_id: string;
            /** @description null: no portal was connected. */
            portal_id: string | null;
            /** @description Always true. */
            uninstalled: boolean;
        };
        /**
         * @example {
         *       "code": "b4a9c1d27e",
         *       "redirect_uri": "https://app.example.com/callback",
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc"
         *     }
         */
        CrmAuthorization: {
            /** @description The code in the query of the redirect. */
            code: string;
            /** @description The redirect_uri of the authorization request, unchanged. */
            redirect_uri: string;
            /** @description The state of the redirect, as `POST /v1/apps/{app_id}/oauth/start` gave it to this session. Send it: it proves that this session asked for the code (RFC 6749, 10.12). */
            state?: string;
            /** @description A vault of the account, for the files of all records. */
            vault_id: string;
        };
        /**
         * @example {
         *       "installed": true,
         *       "org_id": "00D5g000004ABCD",
         *       "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc"
         *     }
         */
        CrmbConnection: {
            account_id: string;
            installed: boolean;
            org_id: string;
            /** @description With this the org signs its sessions, HS256. It is shown once. */
            session_secret?: string;
            vault_id: string;
        };
        /**
         * @example {
         *       "uninstalled": true,
         *       "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *       "org_id": "00D5g000004ABCD"
         *     }
         */
        CrmbDisconnection: {
            account_id: string;
            /** @description null: no org was connected. */
            org_id: string | null;
            /** @description Always true. */
            uninstalled: boolean;
        };
        /**
         * @example {
         *       "org_id": "00D5g000004ABCD",
         *       "session_secret": "q7Wd2RkVn9XbT4mLs8YpZc3HfJ6gQa1Ue5Ki0oPxSwE",
         *       "former_ends_at": 1795686400
         *     }
         */
        CrmbSessionSecret: {
            /** @description When the former secret ends. */
            former_ends_at: number;
            org_id: string;
            /** @description With this the org signs its sessions, HS256. It is shown once. */
            session_secret: string;
        };
        /**
         * @example {
         *       "received": true
         *     }
         */
        CrmEventReceived: {
            /** @description Always true. */
            received: boolean;
        };
        /**
         * @example {
         *       "object_type": "contact",
         *       "record_id": "12345"
         *     }
         */
        CrmRecord: {
            /** @description The type of the record, such as contact. */
            object_type: string;
            /** @description The org of crmb, which must be the one of the session. */
            org_id?: string;
            /** @description The portal of crma; ignored, because the signed query names it. */
            portal_id?: string;
            /** @description The id of the record. */
            record_id: string;
            /** @description The person, who must be the one of the session of crmb; crma names the person in the query. */
            user_id?: string;
        };
        /**
         * @example {
         *       "invitation_id": "usr_Hd4vQ9mTz2XrB7nLs5YpKw",
         *       "declined": true
         *     }
         */
        DeclinedInvitation: {
            /** @description Always true. */
            declined: boolean;
            invitation_id: string;
        };
        /**
         * @example {
         *       "deleted": true,
         *       "link_code": "hT5vX9kQm2Zr7nLsB4wYcD"
         *     }
         */
        DeletedLink: {
            deleted: boolean;
            /** @description Anyone with this code can open the link. */
            link_code: string;
        };
        /**
         * @example {
         *       "deleted": true
         *     }
         */
        DeletedLogo: {
            /** @description Always true. */
            deleted: boolean;
        };
        /**
         * @example {
         *       "deleted": true,
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha"
         *     }
         */
        DeletedRecordFile: {
            /** @description Always true. */
            deleted: boolean;
            ingot_id: string;
        };
        /**
         * @example {
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *       "status": "deleting"
         *     }
         */
        DeletedVault: {
            /** @enum {string} */
            status: "deleting";
            vault_id: string;
        };
        /**
         * @example {
         *       "link_code": "hT5vX9kQm2Zr7nLsB4wYcD",
         *       "identity": "carla@example.org",
         *       "delivered": true,
         *       "delivered_at": 1795600005
         *     }
         */
        DeliveredIngotLink: {
            delivered: boolean;
            /** @description null: not delivered. */
            delivered_at: number | null;
            identity: string;
            /** @description Anyone with this code can open the link. */
            link_code: string;
            /**
             * @description Only if not delivered: unconfigured, when no sender for this type of identity is configured.
             * @enum {string}
             */
            reason?: "unconfigured";
        };
        /** @example {} */
        DeliveryChanges: {
            /** @description Steps of sends without `escalation`. */
            escalation_delays?: number[];
            /** @description false: only the first channel of a send is used. */
            escalation_enabled?: boolean;
        };
        /**
         * @example {
         *       "escalation_enabled": true,
         *       "escalation_delays": [
         *         0
         *       ]
         *     }
         */
        DeliveryConfig: {
            /** @description Steps of sends without `escalation`. */
            escalation_delays?: number[];
            /**
             * @description false: only the first channel of a send is used.
             * @default true
             */
            escalation_enabled?: boolean;
        };
        /**
         * @example {
         *       "delivery_id": "f3de5f3e-76ae-40a3-8f13-c561fc0725f6",
         *       "channel": "email",
         *       "step": 0,
         *       "state": "sent",
         *       "attempts": 1,
         *       "reason": null,
         *       "provider_id": null,
         *       "due_at": null,
         *       "sent_at": 1795600005
         *     }
         */
        DeliveryReport: {
            attempts: number;
            /** @enum {string} */
            channel: "in_app" | "websocket" | "email" | "sms" | "push" | "web_push" | "voice" | "whatsapp" | "rcs" | "webhook" | "slack" | "teams";
            /** @description Stays the same in all attempts. */
            delivery_id: string;
            due_at: number | null;
            /** @description The id that the provider gave to the message. */
            provider_id: string | null;
            /** @description The code of the last failure, or why it was skipped. */
            reason: string | null;
            sent_at: number | null;
            /** @enum {string} */
            state: "queued" | "scheduled" | "sent" | "skipped" | "unconfigured" | "failed";
            step: number;
        };
        /**
         * @example {
         *       "domain": "example.com",
         *       "verification_method": "dns_txt",
         *       "txt_name": "_vaultsvc.example.com",
         *       "txt_value": "vaultsvc-domain-verification=g-fGxM4lFG1tAX66yj87eTcTiDXvw1ETtJtFSL9D3JM",
         *       "created_at": 1795600000,
         *       "verified_at": 1795600000
         *     }
         */
        Domain: {
            created_at: number;
            domain: string;
            /** @description `_vaultsvc.` followed by the domain. */
            txt_name: string;
            /** @description `vaultsvc-domain-verification=` followed by the token. */
            txt_value: string;
            /** @enum {string} */
            verification_method: "dns_txt";
            verified_at: number;
        };
        /**
         * @example {
         *       "domain": "example.com",
         *       "txt_name": "_vaultsvc.example.com",
         *       "txt_value": "vaultsvc-domain-verification=g-fGxM4lFG1tAX66yj87eTcTiDXvw1ETtJtFSL9D3JM"
         *     }
         */
        DomainChallenge: {
            /** @description The normalized domain. */
            domain: string;
            txt_name: string;
            txt_value: string;
        };
        /**
         * @example {
         *       "domains": [
         *         {
         *           "domain": "example.com",
         *           "verification_method": "dns_txt",
         *           "txt_name": "_vaultsvc.example.com",
         *           "txt_value": "vaultsvc-domain-verification=g-fGxM4lFG1tAX66yj87eTcTiDXvw1ETtJtFSL9D3JM",
         *           "created_at": 1795600000,
         *           "verified_at": 1795600000
         *         }
         *       ]
         *     }
         */
        DomainList: {
            domains: components["schemas"]["Domain"][];
        };
        /**
         * @example {
         *       "domain": "example.com"
         *     }
         */
        DomainName: {
            /** @description For example, example.com. */
            domain: string;
        };
        /** @example {} */
        DownloadRequest: {
            /**
             * @description Whether the URL may be used repeatedly, for players that seek. Otherwise it works once.
             * @default false
             */
            stream?: boolean;
        };
        /**
         * @example {
         *       "dvak_type": "nhi",
         *       "authorized_user_id": null,
         *       "authorized_user_email": null,
         *       "nhi_description": "Backup job",
         *       "system_purpose": null,
         *       "access_level": "read",
         *       "last_4_chars": "x7Qa",
         *       "status": "active",
         *       "created_at": 1795600000,
         *       "last_used_at": 1795603600,
         *       "use_count": 5
         *     }
         */
        Dvak: {
            /**
             * @description null: a legacy key, which may read and write.
             * @enum {string|null}
             */
            access_level: "read" | "read_write" | null;
            authorized_user_email: string | null;
            authorized_user_id: string | null;
            created_at: number;
            /** @enum {string} */
            dvak_type: "user" | "nhi" | "system";
            last_4_chars: string;
            /** @description null until the first use. */
            last_used_at: number | null;
            nhi_description: string | null;
            /** @enum {string} */
            status: "active" | "revoked";
            /**
             * @description The purpose of a key that the platform itself uses.
             * @enum {string|null}
             */
            system_purpose: "sharing" | "upload_portal" | "upload_widget" | "messaging" | null;
            use_count: number;
        };
        /**
         * @example {
         *       "dvaks": [
         *         {
         *           "dvak_type": "nhi",
         *           "authorized_user_id": null,
         *           "authorized_user_email": null,
         *           "nhi_description": "Backup job",
         *           "system_purpose": null,
         *           "access_level": "read",
         *           "last_4_chars": "x7Qa",
         *           "status": "active",
         *           "created_at": 1795600000,
         *           "last_used_at": 1795603600,
         *           "use_count": 5
         *         }
         *       ],
         *       "has_more": false,
         *       "cursor": null
         *     }
         */
        DvakPage: {
            /** @description null on the last page. */
            cursor: string | null;
            dvaks: components["schemas"]["Dvak"][];
            has_more: boolean;
        };
        /**
         * @example {
         *       "unsubscribed": true,
         *       "channel": "email",
         *       "category": null,
         *       "organization_name": "Example Ltd.",
         *       "address": "a…@example.com",
         *       "all_mails_off": false,
         *       "categories": [
         *         {
         *           "category": "news",
         *           "is_on": true
         *         }
         *       ],
         *       "quiet_hours": {
         *         "from": "22:00",
         *         "to": "07:00",
         *         "time_zone": "Europe/Berlin"
         *       }
         *     }
         */
        EndedCategorySubscription: {
            /** @description Masked. null: an older link, which does not name it. */
            address: string | null;
            /** @description Whether all mails of the sender are off. */
            all_mails_off: boolean;
            /** @description Of the mails to this address, and those that are off. */
            categories: components["schemas"]["MailCategory"][];
            /** @description null: all categories. */
            category: string | null;
            channel: string;
            /** @description The sender. */
            organization_name: string;
            /** @description null: none. */
            quiet_hours: components["schemas"]["QuietHours"] | null;
            /** @description Whether mails of this kind are off for the address. */
            unsubscribed: boolean;
        };
        /**
         * @example {
         *       "value": "c7a01f5be2d94386b0739ed4415c8fa2603be97d18f24a5c0e6d7b91f3a82c54",
         *       "format": "hex",
         *       "num_bytes": 32,
         *       "reference_id": "ent_Qw7pN2kLx9RtV4mZb8YsCd"
         *     }
         */
        Entropy: {
            /** @enum {string} */
            format: "hex" | "base64" | "base64url" | "alphanumeric" | "alphanumeric-mixed" | "password" | "numeric" | "uuid" | "bytes";
            /** @description The requested number; twice that for alphanumeric, alphanumeric-mixed and password; 16 for uuid. */
            num_bytes: number;
            /** @description Only with with_commitment. Store it as safely as the value: it is returned only here. */
            opening?: string;
            /** @description Identifies this reply in the audit trail. */
            reference_id: string;
            /** @description In the requested format; for bytes a list of numbers from 0 to 255. */
            value: string | number[];
        };
        /**
         * @example {
         *       "num_bytes": 32
         *     }
         */
        EntropyRequest: {
            /**
             * @default hex
             * @enum {string}
             */
            format?: "hex" | "base64" | "base64url" | "alphanumeric" | "alphanumeric-mixed" | "password" | "numeric" | "uuid" | "bytes";
            /** @description Bytes; for numeric, alphanumeric, alphanumeric-mixed and password characters, for the last three at most 512. uuid requires it but always uses 16 bytes. */
            num_bytes: number;
            /**
             * @description Whether to record a commitment to the value in the audit trail and return the opening that proves the value later.
             * @default false
             */
            with_commitment?: boolean;
        };
        Error: {
            error: {
                code: components["schemas"]["ErrorCode"];
                details?: components["schemas"]["ErrorDetails"];
                /** @description For people; its wording may change. */
                message: string;
            };
            meta: {
                api_version: string;
                request_id: string;
            };
        };
        /**
         * @description Handle errors by their code: it determines the status.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "AUTHENTICATION_ERROR" | "UNAUTHORIZED" | "TOKEN_REPLAY" | "PLAN_REQUIRED" | "QUOTA_EXCEEDED" | "FORBIDDEN" | "NOT_FOUND" | "UPLOAD_SOURCE_DISABLED" | "CONFLICT" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "CRYPTOGRAPHIC_ERROR";
        /** @description Further members depend on the reason. */
        ErrorDetails: {
            /** @description QUOTA_EXCEEDED: the capacity to add. */
            action_required?: string;
            /**
             * Format: uri
             * @description The page that explains the reason.
             */
            docs: string;
            /** @description VALIDATION_ERROR: the fields that are not valid. */
            fields?: {
                field: string;
                message: string;
            }[];
            /** @description RATE_LIMIT_EXCEEDED: the limit. */
            limit?: number;
            /** @description PAYLOAD_TOO_LARGE: the most bytes of limit_of. */
            limit_bytes?: number;
            /** @description PAYLOAD_TOO_LARGE: the part that is too large. */
            limit_of?: string;
            /** @description METHOD_NOT_FOUND: the methods of the path, as in the header Allow. */
            methods?: string[];
            reason: components["schemas"]["ErrorReason"];
            /** @description RATE_LIMIT_EXCEEDED: when a retry may succeed. */
            resets_at?: number;
            /**
             * @description QUOTA_EXCEEDED: the exhausted pool.
             * @enum {string}
             */
            resource?: "storage" | "bandwidth";
            /** @description RATE_LIMIT_EXCEEDED: what was used of it. */
            used?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The situation behind a code. Reasons may be added.
         * @enum {string}
         */
        ErrorReason: "VALIDATION_ERROR" | "HTTP_MALFORMED" | "MALFORMED_JSON" | "CURSOR_INVALID" | "AUTHENTICATION_ERROR" | "CREDENTIALS_MISSING" | "BEARER_MISSING" | "API_KEY_MALFORMED" | "BEARER_MALFORMED" | "VAT_MISSING" | "VAT_MALFORMED" | "PLAN_REQUIRED" | "QUOTA_EXCEEDED" | "HTTPS_REQUIRED" | "HOST_REFUSED" | "ORIGIN_UNLISTED" | "ROLE_REQUIRED" | "SESSION_REQUIRED" | "IDENTITY_SESSION_REQUIRED" | "REGISTRATION_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "BUSY" | "BODY_BUDGET_EXHAUSTED" | "INTERNAL_ERROR" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_SPENT" | "IDENTITY_REFUSED" | "EMAIL_NOT_VERIFIED" | "REFRESH_TOKEN_INVALID" | "TOKEN_REPLAY" | "ORIGIN_REFUSED" | "ACCOUNT_SUSPENDED" | "SIGNUP_COMPLETED" | "DOMAIN_CLAIMED" | "INVITATION_NOT_FOUND" | "USER_NOT_FOUND" | "EMAIL_TAKEN" | "INVITATIONS_EXHAUSTED" | "SEATS_EXHAUSTED" | "LAST_OWNER" | "DOMAIN_NOT_FOUND" | "DOMAIN_OWNED" | "APP_NOT_FOUND" | "APP_NOT_INSTALLED" | "APP_INSTALLED" | "APP_REQUIRED" | "APP_CONNECTED" | "APP_REMOTE_TAKEN" | "APP_STATE_REFUSED" | "APP_SUSPENDED" | "APP_GRANT_REFUSED" | "APP_UNCONFIGURED" | "APP_PROVIDER_UNAVAILABLE" | "API_KEY_NOT_FOUND" | "SPARK_NOT_FOUND" | "SPARK_BURNED" | "SPARK_EXPIRED" | "SPARK_READ_IN_FLIGHT" | "KINDLING_NOT_FOUND" | "SPARKLINK_NOT_FOUND" | "LINK_NOT_FOUND" | "LINK_CONSUMED" | "LINK_REVOKED" | "LINK_EXPIRED" | "LINK_SUSPENDED" | "LINK_ADDRESS_REFUSED" | "LINK_BEING_OPENED" | "LINK_ORIGIN_REFUSED" | "LINK_VERIFICATION_REQUIRED" | "LINK_CODE_WRONG" | "LINK_CODES_EXHAUSTED" | "MESSAGES_EXHAUSTED" | "LINK_SECOND_PERSON_REQUIRED" | "LINK_VERIFICATION_STALE" | "PASSKEY_REFUSED" | "PASSKEYS_UNAVAILABLE" | "INTERACTION_TOKEN_INVALID" | "INTERACTION_REFUSED" | "ACTION_HASH_MISMATCH" | "INGOT_REPLACED" | "INTERACTION_DECIDED" | "INVITE_NOT_FOUND" | "INVITES_EXHAUSTED" | "INVITE_TAKEN" | "SHARING_DISABLED" | "INGOT_NOT_SHARED" | "SEND_NOT_FOUND" | "SEND_IN_PROGRESS" | "DELIVERY_NOT_FOUND" | "DELIVERY_NOT_FAILED" | "FEED_ORIGIN_REFUSED" | "FEED_SOCKETS_EXHAUSTED" | "PUSH_TOKEN_NOT_FOUND" | "SUPPRESSION_NOT_FOUND" | "UNSUBSCRIBE_LINK_INVALID" | "VAULT_NOT_FOUND" | "VAULT_NAME_TAKEN" | "VAULT_KEY_WRONG" | "DVAK_INVALID" | "DVAK_OF_ANOTHER_USER" | "DVAK_NOT_FOUND" | "DVAK_REVOKED" | "VAT_EXPIRED" | "VAT_OUT_OF_SCOPE" | "VAT_READ_ONLY" | "FOLDER_NOT_FOUND" | "FOLDER_NAME_TAKEN" | "FOLDER_CYCLE" | "FOLDER_NOT_EMPTY" | "INGOT_NOT_FOUND" | "INGOT_NAME_TAKEN" | "INGOT_NAME_AMBIGUOUS" | "INGOT_MANAGED" | "INGOT_CHANGED" | "INGOT_NOT_STRUCTURED" | "STRUCTURED_OVERTAKEN" | "INGOT_UPLOADING" | "INGOT_NOT_READY" | "UPLOAD_SOURCE_DISABLED" | "ENTROPY_UNAVAILABLE" | "SUBSCRIPTION_CHANGED" | "PREVIEW_EXPIRED" | "ALLOWANCE_IN_USE" | "SUBSCRIPTION_INACTIVE" | "SUBSCRIPTION_OF_STORE" | "INVOICE_NOT_FOUND" | "INVOICE_NOT_OPEN" | "PAYMENT_DECLINED" | "PAYMENT_PENDING" | "PAYMENT_METHOD_NOT_FOUND" | "PAYMENT_METHOD_MISSING" | "PAYMENT_METHOD_REFUSED" | "PAYMENT_METHODS_EXHAUSTED" | "STORE_UNAVAILABLE" | "PURCHASE_REFUSED" | "PURCHASE_CLAIMED" | "ISTK_MISSING" | "ISTK_MALFORMED" | "UPLOAD_NOT_FOUND" | "UPLOAD_OFFSET_TAKEN" | "TOO_MANY_DOWNLOADS" | "TUS_VERSION_UNSUPPORTED";
        /**
         * @example {
         *       "folder_id": "fld_Jh5kT9vNq3XrB7mLs2YpGf",
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *       "parent_id": null,
         *       "name": "Invoices",
         *       "path": "Invoices",
         *       "created_at": 1795600000,
         *       "updated_at": 1795600060
         *     }
         */
        Folder: {
            created_at: number;
            folder_id: string;
            /** @description Unique in the parent folder, without regard to case. It has no slash or backslash and is not . or .. */
            name: string;
            /** @description null: the root of the vault. */
            parent_id: string | null;
            /** @description The names of the folders from the root to this one, separated by /. */
            path: string;
            updated_at: number;
            vault_id: string;
        };
        /**
         * @example {
         *       "name": "Invoices"
         *     }
         */
        FolderChange: {
            /** @description Unique in the parent folder, without regard to case. It has no slash or backslash and is not . or .. */
            name?: string;
            /** @description The new parent folder; null: the root of the vault. */
            parent_id?: string | null;
        };
        /**
         * @example {
         *       "folders": [
         *         {
         *           "folder_id": "fld_Jh5kT9vNq3XrB7mLs2YpGf",
         *           "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *           "parent_id": null,
         *           "name": "Invoices",
         *           "path": "Invoices",
         *           "created_at": 1795600000,
         *           "updated_at": 1795600060
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false
         *     }
         */
        FolderPage: {
            folders: components["schemas"]["Folder"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "token": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImRlYjY2NTJhIn0.eyJlbWFpbCI6ImFuYUBleGFtcGxlLmNvbSJ9.c2lnbmF0dXJl"
         *     }
         */
        IdentityToken: {
            /** @description An ID token that the identity provider issued to our client id. It is accepted once. */
            token: string;
        };
        /**
         * @example {
         *       "sends": [
         *         {
         *           "send_id": "ntsnd_Gk6wT2vQx8ZrN4mLb9YsPd",
         *           "recipients": 1,
         *           "status": "delivered",
         *           "title": null,
         *           "category": null,
         *           "type": null,
         *           "channels": [
         *             "in_app",
         *             "email"
         *           ],
         *           "seen": 1,
         *           "created_at": 1795600000,
         *           "expires_at": 1795686400
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false
         *     }
         */
        Inbox: {
            sends: components["schemas"]["SendSummary"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "name": "contract.pdf",
         *       "size_bytes": 1482903,
         *       "content_type": "application/pdf",
         *       "status": "active",
         *       "managed_by": null,
         *       "created_at": 1795600000,
         *       "updated_at": 1795600060,
         *       "access_count": 3,
         *       "total_bandwidth_bytes": 5931612,
         *       "file_type": "document",
         *       "folder_id": null,
         *       "upload_source": "Backup job"
         *     }
         */
        Ingot: {
            /** @description Number of downloads. */
            access_count: number;
            content_type: string;
            created_at: number;
            /** @enum {string} */
            file_type: "image" | "video" | "audio" | "document" | "spreadsheet" | "presentation" | "archive" | "code" | "design" | "cad" | "ebook" | "font" | "other";
            /** @description null: the root of the vault. */
            folder_id: string | null;
            ingot_id: string;
            /** @description The product that manages the ingot; null: none. */
            managed_by: string | null;
            /** @description Unique in its folder, without regard to case. */
            name: string;
            size_bytes: number;
            /** @enum {string} */
            status: "uploading" | "encrypting" | "active" | "failed";
            /** @description Bytes transferred by uploads and downloads. */
            total_bandwidth_bytes: number;
            updated_at: number;
            /** @description The uploader: the e-mail address of a user, the name of an API key, or an integration with the id of its person. */
            upload_source: string | null;
        };
        /**
         * @example {
         *       "name": "contract.pdf"
         *     }
         */
        IngotChange: {
            /** @description The new folder; null: the root of the vault. */
            folder_id?: string | null;
            /** @description Unique in its folder, without regard to case. */
            name?: string;
        };
        /**
         * @example {
         *       "status": "ready",
         *       "download_url": "https://forge.example.com/decrypt?istk=x5Kf0Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpA",
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "name": "contract.pdf",
         *       "size_bytes": 1482903,
         *       "content_type": "application/pdf",
         *       "original_filename": "contract.pdf",
         *       "expires_at": 1795686400,
         *       "stream": false
         *     }
         */
        IngotDownload: {
            content_type: string;
            /** @description Anyone with this URL can read the content. Keep it secret. */
            download_url: string;
            /** @description Each use of a streaming URL extends it. */
            expires_at: number;
            ingot_id: string;
            /** @description Unique in its folder, without regard to case. */
            name: string;
            original_filename: string | null;
            size_bytes: number;
            /** @enum {string} */
            status: "ready";
            stream: boolean;
        };
        /**
         * @example {
         *       "total": 12,
         *       "storage_bytes": 48211004,
         *       "storage_mb": 45.98,
         *       "storage_gb": 0.04
         *     }
         */
        IngotFigures: {
            storage_bytes: number;
            /** @description With two decimals. */
            storage_gb: number;
            /** @description With two decimals. */
            storage_mb: number;
            total: number;
        };
        /**
         * @example {
         *       "q": "contract",
         *       "file_type": null,
         *       "min_size": null,
         *       "max_size": null
         *     }
         */
        IngotFilters: {
            /** @enum {string|null} */
            file_type: "image" | "video" | "audio" | "document" | "spreadsheet" | "presentation" | "archive" | "code" | "design" | "cad" | "ebook" | "font" | "other" | null;
            /** @description Bytes. */
            max_size: number | null;
            /** @description Bytes. */
            min_size: number | null;
            q: string | null;
        };
        /**
         * @example {
         *       "identity": "carla@example.org"
         *     }
         */
        IngotLinkDelivery: {
            /** @description The recipient. */
            identity: string;
        };
        /**
         * @example {
         *       "ingots": [
         *         {
         *           "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *           "name": "contract.pdf",
         *           "size_bytes": 1482903,
         *           "content_type": "application/pdf",
         *           "status": "active",
         *           "managed_by": null,
         *           "created_at": 1795600000,
         *           "updated_at": 1795600060,
         *           "access_count": 3,
         *           "total_bandwidth_bytes": 5931612,
         *           "file_type": "document",
         *           "folder_id": null,
         *           "upload_source": "Backup job"
         *         }
         *       ],
         *       "count": 1
         *     }
         */
        IngotList: {
            /** @description Ingots in this reply. */
            count: number;
            ingots: components["schemas"]["Ingot"][];
        };
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "name": "contract.pdf",
         *       "size_bytes": 1482903,
         *       "content_type": "application/pdf",
         *       "status": "active",
         *       "managed_by": null,
         *       "created_at": 1795600000,
         *       "updated_at": 1795600060,
         *       "access_count": 3,
         *       "total_bandwidth_bytes": 5931612
         *     }
         */
        IngotMetadata: {
            /** @description Number of downloads. */
            access_count: number;
            content_type: string;
            created_at: number;
            ingot_id: string;
            /** @description The product that manages the ingot; null: none. */
            managed_by: string | null;
            /** @description Unique in its folder, without regard to case. */
            name: string;
            size_bytes: number;
            /** @enum {string} */
            status: "uploading" | "encrypting" | "active" | "failed";
            /** @description Bytes transferred by uploads and downloads. */
            total_bandwidth_bytes: number;
            updated_at: number;
        };
        /**
         * @example {
         *       "ingots": [
         *         {
         *           "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *           "name": "contract.pdf",
         *           "size_bytes": 1482903,
         *           "content_type": "application/pdf",
         *           "status": "active",
         *           "managed_by": null,
         *           "created_at": 1795600000,
         *           "updated_at": 1795600060,
         *           "access_count": 3,
         *           "total_bandwidth_bytes": 5931612,
         *           "file_type": "document",
         *           "folder_id": null,
         *           "upload_source": "Backup job"
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false,
         *       "filters": {
         *         "q": "contract",
         *         "file_type": null,
         *         "min_size": null,
         *         "max_size": null
         *       }
         *     }
         */
        IngotPage: {
            filters: components["schemas"]["IngotFilters"];
            ingots: components["schemas"]["Ingot"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "size_bytes": 1482903
         *     }
         */
        IngotReplacement: {
            /** @description The Content-Type of downloads if it is a media type (RFC 9110); otherwise downloads are application/octet-stream. */
            content_type?: string;
            /** @description If updated_at of the ingot is another time, the request is refused with 412. */
            expected_updated_at?: number;
            /** @description Unique in its folder, without regard to case. */
            name?: string;
            /** @description Bytes of the content. A longer upload is refused. */
            size_bytes: number;
        };
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "shared": true,
         *       "visibility": "public",
         *       "public_url": "https://files.example.com/hT5vX9kQm2Zr7nLsB4wYcD",
         *       "link_code": "hT5vX9kQm2Zr7nLsB4wYcD",
         *       "invites": [],
         *       "updated_at": 1795600060
         *     }
         */
        IngotSharing: {
            ingot_id: string;
            invites: components["schemas"]["SharingInvite"][];
            /** @description Anyone with this code can open the link. */
            link_code: string | null;
            /** @description The page that opens the link in a browser. */
            public_url: string | null;
            shared: boolean;
            updated_at: number;
            /** @enum {string|null} */
            visibility: "public" | "authenticated" | "invite_only" | null;
        };
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "name": "contract.pdf",
         *       "size_bytes": 1482903,
         *       "content_type": "application/pdf",
         *       "status": "uploading",
         *       "forge_url": "https://forge.example.com/encrypt?istk=Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpAx5Kf0",
         *       "expires_at": 1795686400
         *     }
         */
        IngotUpload: {
            content_type: string;
            /** @description The upload must start before this time. */
            expires_at: number;
            /** @description A tus 1.0.0 endpoint for this upload. Chunks have 52,428,800 bytes. Anyone with this URL can upload; keep it secret. */
            forge_url: string;
            ingot_id: string;
            /** @description Unique in its folder, without regard to case. */
            name: string;
            size_bytes: number;
            /** @enum {string} */
            status: "uploading";
        };
        /**
         * @example {
         *       "settings": {
         *         "language": "en"
         *       }
         *     }
         */
        InstallationChange: {
            /** @description The workspace, portal or org of the provider. One account at a time can be bound to it. */
            remote_id?: string;
            /** @description Merged key by key into the settings; null removes a key. */
            settings: Record<string, unknown>;
        };
        /**
         * @example {
         *       "app_id": "crma",
         *       "status": "active",
         *       "installed_at": 1795600000,
         *       "settings": {
         *         "language": "en"
         *       }
         *     }
         */
        InstalledApp: {
            /** @enum {string} */
            app_id: "chatapp" | "crma" | "crmb";
            installed_at: number;
            settings: Record<string, unknown>;
            /** @enum {string} */
            status: "active" | "suspended";
        };
        /**
         * @example {
         *       "interaction_token": "interaction token",
         *       "actions": [
         *         "actions"
         *       ],
         *       "action_hash": "action hash",
         *       "is_requested": true,
         *       "expires_at": 1795686400
         *     }
         */
        InteractionOffer: {
            /** @description SHA-256 of the content in hexadecimal; of a file that of vault_id/ingot_id/version_id/size_bytes. sign, approve and deny are bound to it. */
            action_hash: string;
            /** @description The actions that the sender allows. */
            actions: string[];
            expires_at: number;
            /** @description For POST {link}/interact, within 24 hours. */
            interaction_token: string;
            /** @description Whether the sender asks for an action beyond the view. */
            is_requested: boolean;
        };
        /**
         * @example {
         *       "action": "acknowledge",
         *       "at": 1795600120,
         *       "jws": "eyJhbGciOiJFZERTQSIsInR5cCI6InJlY2VpcHQrand0In0.eyJhY3Rpb24iOiJhY2tub3dsZWRnZSJ9.c2ln"
         *     }
         */
        InteractionReceipt: {
            /** @enum {string} */
            action: "view" | "acknowledge" | "sign" | "approve" | "deny" | "reply";
            at: number;
            /** @description A compact JWS (RFC 7515), EdDSA. Its key is in /.well-known/jwks.json. */
            jws: string;
        };
        /**
         * @example {
         *       "email": "ben@example.com"
         *     }
         */
        Invitation: {
            /** Format: email */
            email: string;
            /** @description The name until the person joins, if the identity provider has none. */
            name?: string;
            /**
             * @default member
             * @enum {string}
             */
            role?: "owner" | "admin" | "member";
            /**
             * @default full
             * @enum {string}
             */
            seat?: "full" | "viewer";
        };
        /**
         * @example {
         *       "identity": "carla@example.org",
         *       "type": "email"
         *     }
         */
        InvitedIdentity: {
            identity: string;
            /** @enum {string} */
            type: "email" | "phone";
        };
        /**
         * @example {
         *       "invoice_id": "in_Bd8yR3nWq6XvM2kLs9TpZj",
         *       "status": "open",
         *       "billing_reason": "subscription_create",
         *       "lines": [
         *         {
         *           "item": "plan",
         *           "plan": "team",
         *           "quantity": 1,
         *           "unit_price": {
         *             "amount": 4900,
         *             "currency": "eur"
         *           },
         *           "amount": {
         *             "amount": 4900,
         *             "currency": "eur"
         *           },
         *           "proration": false,
         *           "period_start": 1795600000,
         *           "period_end": 1798192000
         *         },
         *         {
         *           "item": "seat",
         *           "plan": "team",
         *           "quantity": 2,
         *           "unit_price": {
         *             "amount": 400,
         *             "currency": "eur"
         *           },
         *           "amount": {
         *             "amount": 800,
         *             "currency": "eur"
         *           },
         *           "proration": false,
         *           "period_start": 1795600000,
         *           "period_end": 1798192000
         *         }
         *       ],
         *       "total": {
         *         "amount": 5700,
         *         "currency": "eur"
         *       },
         *       "credit_applied": {
         *         "amount": 0,
         *         "currency": "eur"
         *       },
         *       "amount_due": {
         *         "amount": 5700,
         *         "currency": "eur"
         *       },
         *       "created_at": 1795600000,
         *       "paid_at": null
         *     }
         */
        Invoice: {
            /** @description Left to pay: total less credit_applied, at least 0. */
            amount_due: components["schemas"]["Money"];
            /** @enum {string} */
            billing_reason: "subscription_create" | "subscription_update" | "subscription_cycle";
            created_at: number;
            /** @description Taken from the credit balance. Negative: an earlier small amount. */
            credit_applied: components["schemas"]["Money"];
            /** @description null in a preview. */
            invoice_id: string | null;
            lines: components["schemas"]["InvoiceLine"][];
            /** @description null: not paid. */
            paid_at: number | null;
            /** @enum {string} */
            status: "draft" | "open" | "paid" | "void";
            /** @description The sum of the lines. Negative: it is added to the credit balance. */
            total: components["schemas"]["Money"];
        };
        /**
         * @example {
         *       "item": "plan",
         *       "plan": "team",
         *       "quantity": 1,
         *       "unit_price": {
         *         "amount": 1,
         *         "currency": "eur"
         *       },
         *       "amount": {
         *         "amount": 1,
         *         "currency": "eur"
         *       },
         *       "proration": true,
         *       "period_start": 1793008000,
         *       "period_end": 1795600000
         *     }
         */
        InvoiceLine: {
            /** @description Negative: credit for time that was paid and is not used. */
            amount: components["schemas"]["Money"];
            /** @enum {string} */
            item: "plan" | "seat" | "storage_block" | "bandwidth_block";
            period_end: number;
            period_start: number;
            /** @description The plan whose price applies. */
            plan: string;
            /** @description The line is for a part of a period. */
            proration: boolean;
            quantity: number;
            /** @description For one, for a whole period. */
            unit_price: components["schemas"]["Money"];
        };
        /**
         * @example {
         *       "invoices": [
         *         {
         *           "invoice_id": "in_Bd8yR3nWq6XvM2kLs9TpZj",
         *           "status": "open",
         *           "billing_reason": "subscription_create",
         *           "lines": [
         *             {
         *               "item": "plan",
         *               "plan": "team",
         *               "quantity": 1,
         *               "unit_price": {
         *                 "amount": 4900,
         *                 "currency": "eur"
         *               },
         *               "amount": {
         *                 "amount": 4900,
         *                 "currency": "eur"
         *               },
         *               "proration": false,
         *               "period_start": 1795600000,
         *               "period_end": 1798192000
         *             },
         *             {
         *               "item": "seat",
         *               "plan": "team",
         *               "quantity": 2,
         *               "unit_price": {
         *                 "amount": 400,
         *                 "currency": "eur"
         *               },
         *               "amount": {
         *                 "amount": 800,
         *                 "currency": "eur"
         *               },
         *               "proration": false,
         *               "period_start": 1795600000,
         *               "period_end": 1798192000
         *             }
         *           ],
         *           "total": {
         *             "amount": 5700,
         *             "currency": "eur"
         *           },
         *           "credit_applied": {
         *             "amount": 0,
         *             "currency": "eur"
         *           },
         *           "amount_due": {
         *             "amount": 5700,
         *             "currency": "eur"
         *           },
         *           "created_at": 1795600000,
         *           "paid_at": null
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false
         *     }
         */
        InvoicePage: {
            invoices: components["schemas"]["Invoice"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "invoice_id": "in_Bd8yR3nWq6XvM2kLs9TpZj"
         *     }
         */
        InvoiceToCharge: {
            invoice_id: string;
        };
        /**
         * @example {
         *       "access_token": "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ1c3JfV205a1QzdlF4N1pyTjVuTGIyWXNIZiJ9.c2ln",
         *       "refresh_token": "vkr_Ab8yR3nWq6XvM2kLs9TpZjUAAAABbQ7wN4xT1cVe5Hf0uKi2oPa9sDg3lZr6mYtB8vJnCq",
         *       "user": {
         *         "user_id": "usr_Hd4vQ9mTz2XrB7nLs5YpKw",
         *         "email": "ben@example.com",
         *         "name": "Ben Example",
         *         "role": "member"
         *       },
         *       "account": {
         *         "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *         "organization_name": "Example Ltd.",
         *         "status": "active"
         *       }
         *     }
         */
        JoinedSession: {
            /** @description For `Authorization: Bearer`; valid for one hour. */
            access_token: string;
            account: components["schemas"]["SessionAccount"] | null;
            /** @description Single-use, valid for 30 days. Absent for browsers, which receive it in a cookie. */
            refresh_token?: string;
            user: components["schemas"]["SessionUser"] | null;
        };
        /**
         * @example {
         *       "kty": "OKP",
         *       "crv": "Ed25519",
         *       "x": "xk0pbfRGZa7wJ_6VEmXHEY1Sbrt5XFgd-iZLx831IQM",
         *       "kid": "tOPS-a2o19nKCYPKPy9kQuoU7JG7MMIXtQivBFOUjJY",
         *       "alg": "EdDSA",
         *       "use": "sig"
         *     }
         */
        Jwk: {
            /** @enum {string} */
            alg: "EdDSA";
            /** @enum {string} */
            crv: "Ed25519";
            /** @description The thumbprint of the key (RFC 7638). */
            kid: string;
            /** @enum {string} */
            kty: "OKP";
            /** @enum {string} */
            use: "sig";
            /** @description The public key in base64url. */
            x: string;
        };
        /**
         * @example {
         *       "keys": [
         *         {
         *           "kty": "OKP",
         *           "crv": "Ed25519",
         *           "x": "xk0pbfRGZa7wJ_6VEmXHEY1Sbrt5XFgd-iZLx831IQM",
         *           "kid": "tOPS-a2o19nKCYPKPy9kQuoU7JG7MMIXtQivBFOUjJY",
         *           "alg": "EdDSA",
         *           "use": "sig"
         *         }
         *       ]
         *     }
         */
        JwkSet: {
            keys: components["schemas"]["Jwk"][];
        };
        /**
         * @example {
         *       "type": "content",
         *       "payload": "correct horse battery staple",
         *       "content_type": "text/plain",
         *       "filename": null
         *     }
         */
        LinkContent: {
            content_type?: string;
            /** @description A single-use download URL. */
            download_url?: string;
            filename?: string | null;
            /** @description Links of notifications only. */
            interaction?: components["schemas"]["InteractionOffer"];
            name?: string;
            /** @description Descriptions only: true if the link opens once, false if it opens as often as its visitors like. */
            once?: boolean;
            /** @description Text as it was created; base64 if the content is binary. */
            payload?: string;
            /**
             * @description The reason of the warning.
             * @enum {string}
             */
            reason?: "malware" | "social_engineering" | "unwanted_software" | "private_address" | "listed" | "unchecked";
            /** @description Descriptions only, with the setting `links_show_organization`: the organization, by the name that it gave itself. */
            shared_by?: string;
            size_bytes?: number;
            /** @enum {string} */
            type: "redirect" | "warning" | "content" | "file" | "confirm";
            url?: string;
        };
        /**
         * @example {
         *       "sparklinks": [
         *         {
         *           "link_code": "hT5vX9kQm2Zr7nLsB4wYcD",
         *           "link_url": "https://link.example.com/hT5vX9kQm2Zr7nLsB4wYcD",
         *           "link_type": "spark",
         *           "asset_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *           "visibility": "public",
         *           "status": "active",
         *           "expires_at": 1795686400,
         *           "created_at": 1795600000,
         *           "invites": []
         *         }
         *       ],
         *       "count": 1,
         *       "cursor": null
         *     }
         */
        LinkList: {
            count: number;
            /** @description null on the last page. */
            cursor: string | null;
            sparklinks: components["schemas"]["SparkLinkSummary"][];
        };
        /**
         * @example {
         *       "confirmed": true
         *     }
         */
        LinkOpening: {
            /**
             * @description Whether the visitor has confirmed the opening, where the account requires it.
             * @default false
             */
            confirmed?: boolean;
            /**
             * @description Only describe the content. The checks are those of an opening, but nothing is consumed.
             * @default false
             */
            describe?: boolean;
            /** @description From verify/confirm. It is valid for 10 minutes and for this link only. */
            verification_token?: string;
        };
        /**
         * @example {
         *       "category": "news",
         *       "is_on": true
         *     }
         */
        MailCategory: {
            /** @description Compared without regard to case. */
            category: string;
            is_on: boolean;
        };
        /**
         * @example {
         *       "unsubscribed": false
         *     }
         */
        MailPreferenceChanges: {
            /** @description Of all mails of the sender. */
            all_mails_off?: boolean;
            categories?: components["schemas"]["MailCategory"][];
            /** @description Hours in which reminders wait. null: none. */
            quiet_hours?: components["schemas"]["QuietHours"] | null;
            /** @description Of the kind that the link is about. false: mails come again. */
            unsubscribed?: boolean;
        };
        /**
         * @example {
         *       "user": null,
         *       "account": {
         *         "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *         "organization_name": "Example Ltd.",
         *         "status": "active"
         *       },
         *       "role": "admin",
         *       "seat": "full",
         *       "credential": "api_key"
         *     }
         */
        Me: {
            /** @description null for an identity-only session. */
            account: components["schemas"]["SessionAccount"] | null;
            /** @enum {string} */
            credential: "api_key" | "session" | "identity_only";
            /** @description Only for an identity-only session: the invitations that the person may accept or decline. */
            invitations?: components["schemas"]["PendingInvitation"][];
            /** @enum {string|null} */
            role: "owner" | "admin" | "member" | null;
            /** @enum {string|null} */
            seat: "full" | "viewer" | null;
            /** @description null for an API key, which belongs to no user, and for an identity-only session. */
            user: components["schemas"]["SessionUser"] | null;
        };
        /** @description `quota` on authenticated calls, `pools` on those that draw storage or bandwidth. */
        Meta: {
            api_version: string;
            pools?: components["schemas"]["Pools"];
            quota?: components["schemas"]["Quota"];
            request_id: string;
            response_ms: number;
            /** @description Epoch seconds. */
            timestamp: number;
        };
        /**
         * @example {
         *       "amount": 1,
         *       "currency": "eur"
         *     }
         */
        Money: {
            /** @description In the minor unit of the currency (ISO 4217): 4900 is 49.00 euros. */
            amount: number;
            /** @description ISO 4217 code in lower case: eur. */
            currency: string;
        };
        /**
         * @example {
         *       "name": "Backup job"
         *     }
         */
        NewApiKey: {
            /** @description Days until the key expires. Without it the key does not expire. */
            expires_in_days?: number;
            /** @description The purpose of the key. */
            name: string;
        };
        /**
         * @example {
         *       "app_slug": "chatapp",
         *       "event_type": "secret_sent",
         *       "metadata": {
         *         "channel": "general"
         *       }
         *     }
         */
        NewAppEvent: {
            app_slug: string;
            event_type: string;
            /** @description It becomes `details`. It has no member `actor`, which names the caller there. */
            metadata?: Record<string, unknown>;
        };
        /**
         * @example {
         *       "vmk": "vmk_Rm4QhL07dJ2y2MpVOk2atlWkmiZ1sQIRIttOiS5M3SY330Ud8",
         *       "dvak_type": "nhi",
         *       "nhi_description": "Backup job",
         *       "access_level": "read"
         *     }
         */
        NewDvak: {
            /**
             * @default read_write
             * @enum {string}
             */
            access_level?: "read" | "read_write";
            /** @description Keys of type user: the only person who may use the key. */
            authorized_user_id?: string | null;
            /**
             * @description user: for a person; nhi: for a program.
             * @default user
             * @enum {string}
             */
            dvak_type?: "user" | "nhi";
            /** @description Keys of type nhi: the purpose of the key. */
            nhi_description?: string | null;
            /** @description The Vault Master Key. */
            vmk: string;
        };
        /**
         * @example {
         *       "name": "Invoices"
         *     }
         */
        NewFolder: {
            /** @description Unique in the parent folder, without regard to case. It has no slash or backslash and is not . or .. */
            name: string;
            /** @description null or absent: the root of the vault. */
            parent_id?: string | null;
        };
        /**
         * @example {
         *       "name": "contract.pdf",
         *       "size_bytes": 1482903,
         *       "content_type": "application/pdf"
         *     }
         */
        NewIngot: {
            /**
             * @description The Content-Type of downloads if it is a media type (RFC 9110); otherwise downloads are application/octet-stream.
             * @default application/octet-stream
             */
            content_type?: string;
            /** @description null or absent: the root of the vault. */
            folder_id?: string | null;
            /** @description Instead of folder_id: folder names from the root, separated by /. Missing folders are created. */
            folder_path?: string;
            /** @description Unique in its folder, without regard to case. */
            name: string;
            /** @description The file name of downloads. */
            original_filename?: string;
            /** @description Bytes of the content. A longer upload is refused. */
            size_bytes: number;
        };
        /**
         * @example {
         *       "expires_in_seconds": 3600
         *     }
         */
        NewIngotLink: {
            /**
             * @description Lifetime in seconds.
             * @default 86400
             */
            expires_in_seconds?: number;
        };
        /**
         * @example {
         *       "settings": {
         *         "language": "en"
         *       }
         *     }
         */
        NewInstallation: {
            /** @description The workspace, portal or org of the provider. One account at a time can be bound to it. */
            remote_id?: string;
            settings?: Record<string, unknown>;
        };
        /**
         * @example {
         *       "interaction_token": "xNRuVTvhn1F13uzefmRrhnzkMsYHvJnKh90EIVYB8lc",
         *       "action": "acknowledge"
         *     }
         */
        NewInteraction: {
            /** @enum {string} */
            action: "view" | "acknowledge" | "sign" | "approve" | "deny" | "reply";
            /** @description From the opening. Required for sign, approve and deny. null: absent. */
            action_hash?: string | null;
            /** @description From the opening of the link. */
            interaction_token: string;
            /** @description Required for reply; sealed for the sender. null: absent. */
            reply?: string | null;
        };
        /**
         * @example {
         *       "name": "contract.pdf",
         *       "size_bytes": 1482903,
         *       "content_type": "application/pdf",
         *       "vat": "vat_Jd6nQ0bVtX4yKfWm2RzLc8HaZk4mQ9vT2xW7rB1nLs8YpSxc1"
         *     }
         */
        NewPanelFile: {
            /**
             * @description The Content-Type of downloads.
             * @default application/octet-stream
             */
            content_type?: string;
            /** @description Unique in its folder, without regard to case. */
            name: string;
            /** @description Bytes of the content. */
            size_bytes: number;
            /** @description The token of unseal. */
            vat: string;
        };
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "vat": "vat_Jd6nQ0bVtX4yKfWm2RzLc8HaZk4mQ9vT2xW7rB1nLs8YpSxc1",
         *       "expires_in_seconds": 3600
         *     }
         */
        NewPanelLink: {
            /**
             * @description Lifetime in seconds.
             * @default 86400
             */
            expires_in_seconds?: number;
            /** @description The id of the ingot, or a colon and its name. */
            ingot_id: string;
            /** @description The token of unseal. */
            vat: string;
        };
        /**
         * @example {
         *       "label": "Purchase order 4711"
         *     }
         */
        NewPaymentMethod: {
            /** @description A label, such as the number of a purchase order. */
            label?: string;
            /** @description With stripe: the pm_… id of a payment method that Stripe.js has created. manual takes none. */
            token?: string;
        };
        /**
         * @example {
         *       "platform": "android",
         *       "token": "bk3RNwTe3H0CI2k_HHwgIpoDKCIZvvDM",
         *       "recipient_id": "carla"
         *     }
         */
        NewPushToken: {
            /** @enum {string} */
            platform: "ios" | "android" | "fcm" | "web";
            /** @description The recipient whose device this is, as sends name it. */
            recipient_id: string;
            /** @description The token; for web the JSON of the PushSubscription with endpoint and keys. */
            token: string;
        };
        /**
         * @example {
         *       "recipients": [
         *         "carla@example.org"
         *       ],
         *       "content": {
         *         "payload": "correct horse battery staple"
         *       }
         *     }
         */
        NewSend: {
            category?: string | null;
            /** @description In order: the first is the primary channel. Default: the configuration. */
            channels?: ("in_app" | "websocket" | "email" | "sms" | "push" | "web_push" | "voice" | "whatsapp" | "rcs" | "webhook" | "slack" | "teams")[] | null;
            content?: components["schemas"]["NotifyContent"] | null;
            escalation?: components["schemas"]["NotifyEscalation"] | null;
            /**
             * @description Days for which the send stays readable.
             * @default 30
             */
            history_ttl_days?: number;
            /** @description Sends to one recipient only. */
            ingot?: components["schemas"]["NotifyIngot"] | null;
            policy?: components["schemas"]["NotifyPolicy"] | null;
            /** @description Each is an e-mail address, an E.164 phone number, an id of your directory, or an object with id, email and phone. Repetitions are collapsed. */
            recipients: (string | {
                /** Format: email */
                email?: string;
                id?: string;
                phone?: string;
            })[];
            /** @description The idempotency key of the send. Default: a new ntsnd_ id. */
            send_id?: string;
            /** @description Shown in the message itself. Not sealed. */
            title?: string | null;
            /** @description A type for display. */
            type?: string | null;
        };
        /**
         * @example {
         *       "identity": "carla@example.org"
         *     }
         */
        NewSharingInvite: {
            identity: string;
        };
        /**
         * @example {
         *       "payload": "correct horse battery staple"
         *     }
         */
        NewSpark: {
            /** @description Link Sparks only: the one IPv4 or IPv6 address that may open the link. */
            bound_ip?: string;
            /**
             * @description text/*, application/json, application/xml, application/javascript and +json or +xml types are text; text/uri-list makes a link Spark; all others are binary.
             * @default text/plain
             */
            content_type?: string;
            /** @description Shown in lists, so it should not reveal the secret. */
            filename?: string | null;
            /** @description The kindling to join. It takes precedence over with_kindling. */
            kindling?: string;
            /** @description The secret: text unchanged, binary content in base64, for text/uri-list one http or https URL. At most 256,000 bytes, else 413. */
            payload: string;
            /**
             * @description Lifetime of an unread Spark in minutes.
             * @default 1440
             */
            ttl_minutes?: number;
            /**
             * @description Whether to start a new kindling, a group of Sparks.
             * @default false
             */
            with_kindling?: boolean;
        };
        /**
         * @example {
         *       "name": "production",
         *       "data": {
         *         "db_user": "app",
         *         "db_password": "correct horse battery staple"
         *       }
         *     }
         */
        NewStructured: {
            /** @description At most 10,000 keys. A key name has 1 to 256 characters and no comma. A value is any JSON of at most 1,048,576 bytes. */
            data: {
                [key: string]: unknown;
            };
            /** @description Unique in its folder, without regard to case. */
            name: string;
        };
        /**
         * @example {
         *       "plan": "team",
         *       "seats": 2
         *     }
         */
        NewSubscription: {
            /**
             * @description Blocks of bandwidth bought.
             * @default 0
             */
            bandwidth_blocks?: number;
            plan: string;
            /**
             * @description Seats in addition to those of the plan.
             * @default 0
             */
            seats?: number;
            /**
             * @description Blocks of storage bought.
             * @default 0
             */
            storage_blocks?: number;
        };
        /**
         * @example {
         *       "name": "Contracts"
         *     }
         */
        NewVault: {
            /** @description Unique in the account, without regard to case. */
            name: string;
        };
        /**
         * @example {
         *       "type": "notification",
         *       "timestamp": "2026-11-25T09:46:40.000Z",
         *       "data": {
         *         "send_id": "invoice-2041",
         *         "recipient": "ana@example.com",
         *         "organization_name": "Example Ltd.",
         *         "title": "Your invoice",
         *         "category": "invoices",
         *         "type": null,
         *         "link_url": "https://link.example.com/hT5vX9kQm2Zr7nLs",
         *         "expires_at": 1795686400
         *       }
         *     }
         */
        NotificationWebhook: {
            data: {
                category?: string | null;
                /** @description Epoch seconds. */
                expires_at: number;
                /** Format: uri */
                link_url: string;
                organization_name: string;
                recipient: string;
                send_id: string;
                title?: string | null;
                type?: string | null;
            };
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "notification";
        };
        /**
         * @example {
         *       "default_channels": [
         *         "in_app",
         *         "email"
         *       ]
         *     }
         */
        NotifyConfigurationChanges: {
            /** @description Lists of channels by category, merged by category. null: removes that of the category. Case of categories does not matter. */
            channel_priority?: Record<string, unknown>;
            /** @description For sends without channels whose category has no priority. */
            default_channels?: ("in_app" | "websocket" | "email" | "sms" | "push" | "web_push" | "voice" | "whatsapp" | "rcs" | "webhook" | "slack" | "teams")[];
            delivery?: components["schemas"]["DeliveryChanges"];
            security?: components["schemas"]["SecurityChanges"];
            targets?: components["schemas"]["ChannelTargetChanges"];
        };
        /**
         * @example {
         *       "default_channels": [
         *         "in_app",
         *         "email"
         *       ],
         *       "channel_priority": {},
         *       "delivery": {
         *         "escalation_enabled": true,
         *         "escalation_delays": [
         *           0
         *         ]
         *       },
         *       "security": {
         *         "mandatory_seal_categories": []
         *       },
         *       "targets": {
         *         "webhook": null,
         *         "slack": null,
         *         "teams": null
         *       },
         *       "configured_channels": [
         *         "in_app",
         *         "websocket",
         *         "email"
         *       ]
         *     }
         */
        NotifyConfigurationState: {
            /** @description Lists of channels by category, in lower case. */
            channel_priority?: Record<string, unknown>;
            /** @description Channels that have credentials and can deliver. */
            configured_channels: string[];
            /** @description For sends without channels whose category has no priority. */
            default_channels?: ("in_app" | "websocket" | "email" | "sms" | "push" | "web_push" | "voice" | "whatsapp" | "rcs" | "webhook" | "slack" | "teams")[];
            delivery?: components["schemas"]["DeliveryConfig"];
            security?: components["schemas"]["SecurityConfig"];
            targets?: components["schemas"]["ChannelTargets"];
        };
        /**
         * @example {
         *       "payload": "correct horse battery staple"
         *     }
         */
        NotifyContent: {
            /** @default text/plain */
            content_type?: string;
            filename?: string | null;
            /** @description Text unchanged, binary content in base64. At most 256,000 bytes, else 413. */
            payload: string;
            /**
             * @description Minutes for which the links open.
             * @default 1440
             */
            ttl_minutes?: number;
        };
        /**
         * @example {
         *       "delays": [
         *         1
         *       ]
         *     }
         */
        NotifyEscalation: {
            /** @description Seconds after acceptance, one for each step. A later step is sent only to those who have not opened. */
            delays: number[];
        };
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc"
         *     }
         */
        NotifyIngot: {
            ingot_id: string;
            vault_id: string;
        };
        /** @example {} */
        NotifyPolicy: {
            /**
             * @default view
             * @enum {string}
             */
            interaction?: "view" | "acknowledge" | "sign" | "approve" | "reply";
            /** @description The greatest age, in minutes, of the verification when the content is revealed; null: any. */
            reveal_freshness_minutes?: number | null;
            /**
             * @default none
             * @enum {string}
             */
            verification_level?: "none" | "identifier" | "passkey" | "out_of_band" | "dual_control";
        };
        /**
         * @example {
         *       "redirect_uri": "https://app.example.com/callback"
         *     }
         */
        OAuthStart: {
            /** @description A redirect URI of the app at the provider, of your application. */
            redirect_uri: string;
        };
        /**
         * @example {
         *       "token": "x5Kf0Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpA",
         *       "expires_at": 1795600900,
         *       "object_type": "contact",
         *       "record_id": "12345"
         *     }
         */
        OpenedPanel: {
            expires_at: number;
            object_type: string;
            record_id: string;
            /** @description The bearer of the other operations of the panel. */
            token: string;
        };
        /**
         * @example {
         *       "access_token": "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ1c3JfV205a1QzdlF4N1pyTjVuTGIyWXNIZiJ9.c2ln",
         *       "refresh_token": "vkr_Ab8yR3nWq6XvM2kLs9TpZjUAAAABbQ7wN4xT1cVe5Hf0uKi2oPa9sDg3lZr6mYtB8vJnCq",
         *       "user": {
         *         "user_id": "usr_Wm9kT3vQx7ZrN5nLb2YsHf",
         *         "email": "ana@example.com",
         *         "name": "Ana Example",
         *         "role": "owner"
         *       },
         *       "account": {
         *         "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *         "organization_name": "Example Ltd.",
         *         "status": "active"
         *       }
         *     }
         */
        OpenedSession: {
            /** @description For `Authorization: Bearer`; valid for one hour. */
            access_token: string;
            account: components["schemas"]["SessionAccount"] | null;
            /** @description Single-use, valid for 30 days. Absent for browsers, which receive it in a cookie. */
            refresh_token?: string;
            user: components["schemas"]["SessionUser"] | null;
        };
        /**
         * @example {
         *       "total_operations": 360,
         *       "operations_per_day": 12
         *     }
         */
        OperationFigures: {
            /** @description With two decimals. */
            operations_per_day: number;
            /** @description In the period. */
            total_operations: number;
        };
        /**
         * @example {
         *       "price": "price",
         *       "description": "Contracts of our customers"
         *     }
         */
        OperationPrice: {
            description: string;
            /** @description The pools that the operation draws from, or `free`. */
            price: string;
        };
        /** @description A page of a list. */
        Page: {
            /** @description Items on this page. */
            count: number;
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; absent on the last one. */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "invoice_id": "in_Bd8yR3nWq6XvM2kLs9TpZj",
         *       "status": "paid",
         *       "billing_reason": "subscription_create",
         *       "lines": [
         *         {
         *           "item": "plan",
         *           "plan": "team",
         *           "quantity": 1,
         *           "unit_price": {
         *             "amount": 4900,
         *             "currency": "eur"
         *           },
         *           "amount": {
         *             "amount": 4900,
         *             "currency": "eur"
         *           },
         *           "proration": false,
         *           "period_start": 1795600000,
         *           "period_end": 1798192000
         *         },
         *         {
         *           "item": "seat",
         *           "plan": "team",
         *           "quantity": 2,
         *           "unit_price": {
         *             "amount": 400,
         *             "currency": "eur"
         *           },
         *           "amount": {
         *             "amount": 800,
         *             "currency": "eur"
         *           },
         *           "proration": false,
         *           "period_start": 1795600000,
         *           "period_end": 1798192000
         *         }
         *       ],
         *       "total": {
         *         "amount": 5700,
         *         "currency": "eur"
         *       },
         *       "credit_applied": {
         *         "amount": 0,
         *         "currency": "eur"
         *       },
         *       "amount_due": {
         *         "amount": 5700,
         *         "currency": "eur"
         *       },
         *       "created_at": 1795600000,
         *       "paid_at": 1795600030
         *     }
         */
        PaidInvoice: {
            /** @description Left to pay: total less credit_applied, at least 0. */
            amount_due: components["schemas"]["Money"];
            /** @enum {string} */
            billing_reason: "subscription_create" | "subscription_update" | "subscription_cycle";
            created_at: number;
            /** @description Taken from the credit balance. Negative: an earlier small amount. */
            credit_applied: components["schemas"]["Money"];
            /** @description null in a preview. */
            invoice_id: string | null;
            lines: components["schemas"]["InvoiceLine"][];
            /** @description null: not paid. */
            paid_at: number | null;
            /** @enum {string} */
            status: "draft" | "open" | "paid" | "void";
            /** @description The sum of the lines. Negative: it is added to the credit balance. */
            total: components["schemas"]["Money"];
        };
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "vat": "vat_Jd6nQ0bVtX4yKfWm2RzLc8HaZk4mQ9vT2xW7rB1nLs8YpSxc1"
         *     }
         */
        PanelFile: {
            /** @description The id of the ingot, or a colon and its name. */
            ingot_id: string;
            /** @description The token of unseal. */
            vat: string;
        };
        /**
         * @example {
         *       "vmk": "vmk_Rm4QhL07dJ2y2MpVOk2atlWkmiZ1sQIRIttOiS5M3SY330Ud8"
         *     }
         */
        PanelUnsealing: {
            /** @description A delegated key. */
            dvak_token?: string;
            /** @description The Vault Master Key. */
            vmk?: string;
        };
        /**
         * @example {
         *       "response": {
         *         "id": "gXj88U06ssxkbEKuYM-1EQ",
         *         "rawId": "gXj88U06ssxkbEKuYM-1EQ",
         *         "type": "public-key",
         *         "clientExtensionResults": {},
         *         "response": {
         *           "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
         *           "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4"
         *         }
         *       }
         *     }
         */
        PasskeyAnswer: {
            /** @description The toJSON() of the PublicKeyCredential of the browser. */
            response: Record<string, unknown>;
        };
        /**
         * @example {
         *       "type": "authentication",
         *       "options": {
         *         "rpId": "link.example.com",
         *         "challenge": "zmyDfXbb9Tm5IFK3bwJEbXumUY1-r-qEh4_OtYAUlkQ",
         *         "allowCredentials": [],
         *         "timeout": 300000,
         *         "userVerification": "required"
         *       },
         *       "expires_at": 1795600300
         *     }
         */
        PasskeyOptions: {
            expires_at: number;
            /** @description For PublicKeyCredential.parseRequestOptionsFromJSON, or parseCreationOptionsFromJSON. */
            options: Record<string, unknown>;
            /**
             * @description Whether the options are for navigator.credentials.get, or for create.
             * @enum {string}
             */
            type: "authentication" | "registration";
        };
        /** @example {} */
        PasskeyRequest: {
            /** @description From verify/confirm: proves the identity for which a passkey is enrolled. */
            verification_token?: string;
        };
        /**
         * @example {
         *       "payment_method_id": "pm_Hq9nW4tVx6ZkR2mLb7YsPc",
         *       "provider": "manual",
         *       "type": "invoice",
         *       "label": "Purchase order 4711",
         *       "brand": null,
         *       "last4": null,
         *       "exp_month": null,
         *       "exp_year": null,
         *       "is_default": true,
         *       "created_at": 1795600000
         *     }
         */
        PaymentMethod: {
            /** @description Of a card: visa. */
            brand: string | null;
            created_at: number;
            exp_month: number | null;
            exp_year: number | null;
            /** @description Invoices are charged to it. */
            is_default: boolean;
            /** @description The label that it was added with. */
            label: string | null;
            /** @description The last four digits. */
            last4: string | null;
            payment_method_id: string;
            /** @enum {string} */
            provider: "manual" | "stripe";
            /** @description invoice, or a type of Stripe: card, sepa_debit. */
            type: string;
        };
        /**
         * @example {
         *       "payment_methods": [
         *         {
         *           "payment_method_id": "pm_Hq9nW4tVx6ZkR2mLb7YsPc",
         *           "provider": "manual",
         *           "type": "invoice",
         *           "label": "Purchase order 4711",
         *           "brand": null,
         *           "last4": null,
         *           "exp_month": null,
         *           "exp_year": null,
         *           "is_default": true,
         *           "created_at": 1795600000
         *         }
         *       ]
         *     }
         */
        PaymentMethodList: {
            payment_methods: components["schemas"]["PaymentMethod"][];
        };
        /**
         * @example {
         *       "provider": "manual",
         *       "client_secret": null,
         *       "publishable_key": null
         *     }
         */
        PaymentMethodSetup: {
            /** @description The client secret of a SetupIntent, for Stripe.js. null with manual: nothing to collect. */
            client_secret: string | null;
            /** @enum {string} */
            provider: "manual" | "stripe";
            /** @description The publishable key for Stripe.js. null with manual. */
            publishable_key: string | null;
        };
        /**
         * @example {
         *       "invitation_id": "usr_Hd4vQ9mTz2XrB7nLs5YpKw",
         *       "organization_name": "Example Ltd.",
         *       "role": "member",
         *       "invited_by": "Ana Example",
         *       "expires_at": 1796809600
         *     }
         */
        PendingInvitation: {
            /** @description 14 days after the invitation. */
            expires_at: number;
            /** @description The id of the invited user. */
            invitation_id: string;
            /** @description Name or e-mail address of the inviting user; null for an API key and after its removal. */
            invited_by: string | null;
            organization_name: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
        };
        /**
         * @example {
         *       "user_id": "usr_Hd4vQ9mTz2XrB7nLs5YpKw",
         *       "email": "ben@example.com",
         *       "name": null,
         *       "role": "member",
         *       "seat": "full",
         *       "status": "invited",
         *       "created_at": 1795600000
         *     }
         */
        PendingUser: {
            created_at: number;
            email: string;
            name: string | null;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            /** @enum {string} */
            seat: "full" | "viewer";
            /** @enum {string} */
            status: "invited" | "active";
            user_id: string;
        };
        Pool: {
            limit: number;
            /** @description used / limit */
            pct: number;
            /** @enum {string} */
            state: "ok" | "notice" | "warning" | "exhausted";
            used: number;
        };
        /** @description Usage before the call. */
        Pools: {
            bandwidth: components["schemas"]["Pool"] & {
                /** @description Epoch seconds. */
                cycle_resets_at: number;
            };
            identity: components["schemas"]["Pool"];
            storage: components["schemas"]["Pool"];
        };
        /**
         * @example {
         *       "channels_off": [
         *         "sms"
         *       ],
         *       "categories_off": [
         *         {
         *           "category": "news"
         *         }
         *       ]
         *     }
         */
        PreferenceChanges: {
            /** @description Categories that are off. Replaces the former list. */
            categories_off?: components["schemas"]["CategoryOptOut"][];
            /** @description Channels that are off. Replaces the former list. */
            channels_off?: ("in_app" | "websocket" | "email" | "sms" | "push" | "web_push" | "voice" | "whatsapp" | "rcs" | "webhook" | "slack" | "teams")[];
            /** @description Hours in which later steps wait. null: none. */
            quiet_hours?: components["schemas"]["QuietHours"] | null;
        };
        /**
         * @example {
         *       "user_id": "usr_Wm9kT3vQx7ZrN5nLb2YsHf",
         *       "email": "ana@example.com",
         *       "name": "Ana Example",
         *       "role": "owner",
         *       "seat": "full",
         *       "status": "active",
         *       "created_at": 1795600000
         *     }
         */
        Profile: {
            created_at: number;
            email: string;
            name: string | null;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            /** @enum {string} */
            seat: "full" | "viewer";
            /** @enum {string} */
            status: "invited" | "active";
            user_id: string;
        };
        /**
         * @example {
         *       "name": "Ana Example"
         *     }
         */
        ProfileChange: {
            name: string;
        };
        /**
         * @example {
         *       "status": "ok"
         *     }
         */
        PublicHealth: {
            /** @enum {string} */
            status: "ok";
        };
        /**
         * @example {
         *       "store": "apple",
         *       "receipt": "eyJhbGciOiJFUzI1NiIsIng1YyI6W119.eyJwcm9kdWN0SWQiOiJjb20uZXhhbXBsZS50ZWFtIn0.c2lnbmF0dXJl"
         *     }
         */
        PurchaseProof: {
            /** @description apple: the signed transaction (jwsRepresentation of StoreKit 2). google: the purchase token of Play Billing. */
            receipt: string;
            /** @enum {string} */
            store: "apple" | "google";
        };
        /**
         * @example {
         *       "push_token_id": "ptk_Xw6rUuihGuObXHPzbkKCwZ",
         *       "platform": "android",
         *       "recipient_id": "carla",
         *       "token_ending": "IZvvDM",
         *       "created_at": 1795600000
         *     }
         */
        PushToken: {
            created_at: number;
            /** @enum {string} */
            platform: "ios" | "android" | "fcm" | "web";
            push_token_id: string;
            recipient_id: string;
            /** @description The last characters of the token. */
            token_ending: string;
        };
        /**
         * @example {
         *       "push_tokens": [
         *         {
         *           "push_token_id": "ptk_Xw6rUuihGuObXHPzbkKCwZ",
         *           "platform": "android",
         *           "recipient_id": "carla",
         *           "token_ending": "IZvvDM",
         *           "created_at": 1795600000
         *         }
         *       ],
         *       "count": 1
         *     }
         */
        PushTokenList: {
            count: number;
            push_tokens: components["schemas"]["PushToken"][];
        };
        /**
         * @example {
         *       "from": "22:00",
         *       "to": "07:00",
         *       "time_zone": "Europe/Berlin"
         *     }
         */
        QuietHours: {
            from: string;
            /** @description An IANA time zone, such as Europe/Berlin. */
            time_zone: string;
            to: string;
        };
        /** @description Calls of the account in this minute. */
        Quota: {
            limit: number;
            remaining: number;
            /** @description Epoch seconds. */
            resets_at: number;
            used: number;
        };
        /**
         * @example {
         *       "recipient": "carla@example.org",
         *       "action": "acknowledge",
         *       "action_hash": null,
         *       "verification_level": "none",
         *       "at": 1795600120,
         *       "reply_spark_id": null,
         *       "jws": "eyJhbGciOiJFZERTQSIsInR5cCI6InJlY2VpcHQrand0In0.eyJhY3Rpb24iOiJhY2tub3dsZWRnZSJ9.c2ln"
         *     }
         */
        Receipt: {
            /** @enum {string} */
            action: "view" | "acknowledge" | "sign" | "approve" | "deny" | "reply";
            action_hash: string | null;
            at: number;
            /** @description A compact JWS (RFC 7515), EdDSA. Its key is in /.well-known/jwks.json. */
            jws: string;
            recipient: string;
            /** @description The Spark that holds the text of a reply, for 24 hours. */
            reply_spark_id: string | null;
            /** @enum {string} */
            verification_level: "none" | "identifier" | "passkey" | "out_of_band" | "dual_control";
        };
        /**
         * @example {
         *       "send_id": "ntsnd_Gk6wT2vQx8ZrN4mLb9YsPd",
         *       "receipts": [
         *         {
         *           "recipient": "carla@example.org",
         *           "action": "acknowledge",
         *           "action_hash": null,
         *           "verification_level": "none",
         *           "at": 1795600120,
         *           "reply_spark_id": null,
         *           "jws": "eyJhbGciOiJFZERTQSIsInR5cCI6InJlY2VpcHQrand0In0.eyJhY3Rpb24iOiJhY2tub3dsZWRnZSJ9.c2ln"
         *         }
         *       ],
         *       "count": 1
         *     }
         */
        Receipts: {
            count: number;
            receipts: components["schemas"]["Receipt"][];
            send_id: string;
        };
        /**
         * @example {
         *       "recipient_id": "carla",
         *       "channels_off": [
         *         "sms"
         *       ],
         *       "categories_off": [
         *         {
         *           "category": "news",
         *           "channel": null
         *         }
         *       ],
         *       "quiet_hours": {
         *         "from": "22:00",
         *         "to": "07:00",
         *         "time_zone": "Europe/Berlin"
         *       }
         *     }
         */
        RecipientPreferences: {
            /** @description Categories that are off. */
            categories_off: components["schemas"]["CategoryOptOut"][];
            /** @description Channels that are off. */
            channels_off: ("in_app" | "websocket" | "email" | "sms" | "push" | "web_push" | "voice" | "whatsapp" | "rcs" | "webhook" | "slack" | "teams")[];
            /** @description Hours in which later steps wait. null: none. */
            quiet_hours: components["schemas"]["QuietHours"] | null;
            recipient_id: string;
        };
        /**
         * @example {
         *       "recipient": "carla@example.org",
         *       "grant": "consumed",
         *       "link_url": null,
         *       "seen_at": 1795600095,
         *       "actions": [
         *         "view"
         *       ],
         *       "deliveries": [
         *         {
         *           "delivery_id": "f3de5f3e-76ae-40a3-8f13-c561fc0725f6",
         *           "channel": "email",
         *           "step": 0,
         *           "state": "sent",
         *           "attempts": 1,
         *           "reason": null,
         *           "provider_id": null,
         *           "due_at": null,
         *           "sent_at": 1795600005
         *         }
         *       ]
         *     }
         */
        RecipientReport: {
            /** @description Actions of the recipient so far. */
            actions: string[];
            deliveries: components["schemas"]["DeliveryReport"][];
            /**
             * @description null: the content was in the mail itself, in messages of the platform.
             * @enum {string|null}
             */
            grant: "active" | "consumed" | "revoked" | "expired" | null;
            /** @description For your own application, when the channels include in_app or websocket and the grant is active. */
            link_url: string | null;
            recipient: string;
            /** @description When the recipient opened the link, verified as the policy asks. */
            seen_at: number | null;
        };
        /**
         * @example {
         *       "vat": "vat_Jd6nQ0bVtX4yKfWm2RzLc8HaZk4mQ9vT2xW7rB1nLs8YpSxc1",
         *       "expires_at": 1795603600
         *     }
         */
        RecordAccess: {
            expires_at: number;
            vat: string;
        };
        /**
         * @example {
         *       "download_url": "https://forge.example.com/decrypt?istk=x5Kf0Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpA",
         *       "expires_at": 1795686400
         *     }
         */
        RecordDownload: {
            /** @description Anyone with this URL can read the content. It works once. */
            download_url: string;
            expires_at: number;
        };
        /**
         * @example {
         *       "object_type": "contact",
         *       "record_id": "12345",
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "vat": "vat_Jd6nQ0bVtX4yKfWm2RzLc8HaZk4mQ9vT2xW7rB1nLs8YpSxc1"
         *     }
         */
        RecordFileRequest: {
            /** @description The id of the ingot, or a colon and its name. */
            ingot_id: string;
            /** @description The type of the record, such as contact. */
            object_type: string;
            /** @description The org of crmb, which must be the one of the session. */
            org_id?: string;
            /** @description The portal of crma; ignored, because the signed query names it. */
            portal_id?: string;
            /** @description The id of the record. */
            record_id: string;
            /** @description The person, who must be the one of the session of crmb; crma names the person in the query. */
            user_id?: string;
            /** @description The token of unseal. */
            vat: string;
        };
        /**
         * @example {
         *       "files": [
         *         {
         *           "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *           "name": "contract.pdf",
         *           "size_bytes": 1482903,
         *           "content_type": "application/pdf",
         *           "status": "active",
         *           "managed_by": null,
         *           "created_at": 1795600000,
         *           "updated_at": 1795600060,
         *           "access_count": 3,
         *           "total_bandwidth_bytes": 5931612,
         *           "file_type": "document",
         *           "folder_id": null,
         *           "upload_source": "Backup job"
         *         }
         *       ],
         *       "count": 1
         *     }
         */
        RecordFiles: {
            count: number;
            files: components["schemas"]["Ingot"][];
        };
        /**
         * @example {
         *       "object_type": "contact",
         *       "record_id": "12345",
         *       "vmk": "vmk_Rm4QhL07dJ2y2MpVOk2atlWkmiZ1sQIRIttOiS5M3SY330Ud8"
         *     }
         */
        RecordUnsealing: {
            /** @description A delegated key. */
            dvak_token?: string;
            /** @description The type of the record, such as contact. */
            object_type: string;
            /** @description The org of crmb, which must be the one of the session. */
            org_id?: string;
            /** @description The portal of crma; ignored, because the signed query names it. */
            portal_id?: string;
            /** @description The id of the record. */
            record_id: string;
            /** @default 3600 */
            ttl_seconds?: number;
            /** @description The person, who must be the one of the session of crmb; crma names the person in the query. */
            user_id?: string;
            /** @description The Vault Master Key. */
            vmk?: string;
        };
        /**
         * @example {
         *       "access_token": "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ1c3JfV205a1QzdlF4N1pyTjVuTGIyWXNIZiJ9.c2ln",
         *       "refresh_token": "vkr_Ab8yR3nWq6XvM2kLs9TpZjUAAAACd1Vx5Tn9Qe0Kc7Wm3Hy6Ru4Zi8Bo2Ls1Pa5Gf7Dj9",
         *       "user": {
         *         "user_id": "usr_Wm9kT3vQx7ZrN5nLb2YsHf",
         *         "email": "ana@example.com",
         *         "name": "Ana Example",
         *         "role": "owner"
         *       },
         *       "account": {
         *         "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *         "organization_name": "Example Ltd.",
         *         "status": "active"
         *       },
         *       "token_type": "Bearer",
         *       "expires_in": 3600,
         *       "session_type": "full"
         *     }
         */
        RefreshedSession: {
            /** @description For `Authorization: Bearer`; valid for one hour. */
            access_token: string;
            account: components["schemas"]["SessionAccount"] | null;
            /** @description Lifetime of the access token in seconds. */
            expires_in: number;
            /** @description Single-use, valid for 30 days. Absent for browsers, which receive it in a cookie. */
            refresh_token?: string;
            /** @enum {string} */
            session_type: "full" | "identity_only";
            /** @enum {string} */
            token_type: "Bearer";
            user: components["schemas"]["SessionUser"] | null;
        };
        /**
         * @example {
         *       "refresh_token": "vkr_Ab8yR3nWq6XvM2kLs9TpZjUAAAABbQ7wN4xT1cVe5Hf0uKi2oPa9sDg3lZr6mYtB8vJnCq"
         *     }
         */
        RefreshToken: {
            /** @description Browsers omit it, because they send the cookie. */
            refresh_token?: string;
        };
        /**
         * @example {
         *       "deleted": true,
         *       "domain": "example.com"
         *     }
         */
        ReleasedDomain: {
            /** @description Always true. */
            deleted: boolean;
            domain: string;
        };
        /**
         * @example {
         *       "delivery_id": "f3de5f3e-76ae-40a3-8f13-c561fc0725f6",
         *       "state": "queued"
         *     }
         */
        ReplayedDelivery: {
            delivery_id: string;
            /** @enum {string} */
            state: "queued";
        };
        /**
         * @example {
         *       "invite_id": "inv_Dw2nV7qTk9XrB4mLs6YpHg",
         *       "resent": true,
         *       "sent_at": 1795600005
         *     }
         */
        ResentInvite: {
            invite_id: string;
            resent: boolean;
            sent_at: number;
        };
        /**
         * @example {
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *       "folder_id": "fld_Jh5kT9vNq3XrB7mLs2YpGf",
         *       "panel_url": "https://api.example.com/panel/crma#Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpAx5Kf0"
         *     }
         */
        ResolvedRecord: {
            folder_id: string;
            /** @description A page with the files of the record, for a frame of the CRM. It must be opened within 60 seconds, and opens once. */
            panel_url: string;
            vault_id: string;
        };
        /**
         * @example {
         *       "api_key_id": "key_Vn3xQ7mTz5RkB2pLs8YwFa",
         *       "status": "revoked",
         *       "revoked_at": 1795607200,
         *       "name": "Backup job"
         *     }
         */
        RevokedApiKey: {
            api_key_id: string;
            /** @description Present if the key was already revoked. */
            message?: string;
            /** @description Absent if the key was already revoked. */
            name?: string;
            revoked_at: number;
            /** @enum {string} */
            status: "revoked";
        };
        /**
         * @example {
         *       "last_4_chars": "x7Qa",
         *       "status": "revoked",
         *       "revoked_at": 1795607200
         *     }
         */
        RevokedDvak: {
            last_4_chars: string;
            revoked_at: number;
            /** @enum {string} */
            status: "revoked";
        };
        /**
         * @example {
         *       "invite_id": "inv_Dw2nV7qTk9XrB4mLs6YpHg",
         *       "revoked": true
         *     }
         */
        RevokedInvite: {
            invite_id: string;
            revoked: boolean;
        };
        /**
         * @example {
         *       "entries": [
         *         {
         *           "event_id": "27166b60-b4ff-4d5c-9f08-f72ffc763576",
         *           "event_type": "ingot_created",
         *           "timestamp": 1795600000,
         *           "details": {
         *             "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *             "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *             "actor": {
         *               "kind": "api_key",
         *               "id": "key_Vn3xQ7mTz5RkB2pLs8YwFa"
         *             }
         *           },
         *           "actor_type": "api_key",
         *           "actor_display": "Backup job"
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false,
         *       "event_types": [
         *         "ingot_created",
         *         "ingot_updated",
         *         "ingot_deleted"
         *       ]
         *     }
         */
        ScopedAuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            /** @description The types that this list may contain. */
            event_types: string[];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "set": 2
         *     }
         */
        SeatChange: {
            /** @description Seats to buy in addition. */
            add?: number;
            /** @description Seats in addition to those of the plan, from now on. */
            set?: number;
        };
        /** @example {} */
        SecurityChanges: {
            /** @description Categories that are always sealed, besides secure, conversation, approval and signature. */
            mandatory_seal_categories?: string[];
        };
        /**
         * @example {
         *       "mandatory_seal_categories": []
         *     }
         */
        SecurityConfig: {
            /** @description Categories that are always sealed, besides secure, conversation, approval and signature. */
            mandatory_seal_categories?: string[];
        };
        /**
         * @example {
         *       "send_id": "ntsnd_Gk6wT2vQx8ZrN4mLb9YsPd",
         *       "recipients": 1,
         *       "status": "delivered",
         *       "title": null,
         *       "category": null,
         *       "type": null,
         *       "channels": [
         *         "in_app",
         *         "email"
         *       ],
         *       "seen": 1,
         *       "created_at": 1795600000,
         *       "expires_at": 1795686400,
         *       "recipient_states": [
         *         {
         *           "recipient": "carla@example.org",
         *           "grant": "consumed",
         *           "link_url": null,
         *           "seen_at": 1795600095,
         *           "actions": [
         *             "view"
         *           ],
         *           "deliveries": [
         *             {
         *               "delivery_id": "f3de5f3e-76ae-40a3-8f13-c561fc0725f6",
         *               "channel": "email",
         *               "step": 0,
         *               "state": "sent",
         *               "attempts": 1,
         *               "reason": null,
         *               "provider_id": null,
         *               "due_at": null,
         *               "sent_at": 1795600005
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        SendReport: {
            category: string | null;
            channels: string[];
            created_at: number;
            /** @description When the links expire. */
            expires_at: number;
            recipient_states: components["schemas"]["RecipientReport"][];
            recipients: number;
            /** @description Recipients who have opened their link. */
            seen: number;
            send_id: string;
            /** @enum {string} */
            status: "pending" | "delivering" | "delivered" | "partial" | "failed";
            title: string | null;
            type: string | null;
        };
        /**
         * @example {
         *       "send_id": "ntsnd_Gk6wT2vQx8ZrN4mLb9YsPd",
         *       "recipients": 1,
         *       "status": "delivered",
         *       "title": null,
         *       "category": null,
         *       "type": null,
         *       "channels": [
         *         "in_app",
         *         "email"
         *       ],
         *       "seen": 1,
         *       "created_at": 1795600000,
         *       "expires_at": 1795686400
         *     }
         */
        SendSummary: {
            category: string | null;
            channels: string[];
            created_at: number;
            /** @description When the links expire. */
            expires_at: number;
            recipients: number;
            /** @description Recipients who have opened their link. */
            seen: number;
            send_id: string;
            /** @enum {string} */
            status: "pending" | "delivering" | "delivered" | "partial" | "failed";
            title: string | null;
            type: string | null;
        };
        /**
         * @example {
         *       "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *       "organization_name": "Example Ltd.",
         *       "status": "active"
         *     }
         */
        SessionAccount: {
            account_id: string;
            organization_name: string;
            /** @enum {string} */
            status: "active" | "suspended";
        };
        /**
         * @example {
         *       "user_id": "usr_Wm9kT3vQx7ZrN5nLb2YsHf",
         *       "email": "ana@example.com",
         *       "name": "Ana Example",
         *       "role": "owner"
         *     }
         */
        SessionUser: {
            email: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            user_id: string;
        };
        /**
         * @example {
         *       "shared": true,
         *       "share_url": "https://link.example.com/hT5vX9kQm2Zr7nLsB4wYcD",
         *       "link_code": "hT5vX9kQm2Zr7nLsB4wYcD",
         *       "visibility": "public",
         *       "invites": [],
         *       "expires_at": 1795686400,
         *       "created_at": 1795600000,
         *       "already_shared": false
         *     }
         */
        SharedSpark: {
            /** @description Whether an existing link was changed. */
            already_shared: boolean;
            created_at: number;
            expires_at: number;
            invites: string[];
            /** @description Anyone with this code can open the link. */
            link_code: string;
            /** @description The page that opens the link in a browser. */
            share_url: string;
            shared: boolean;
            /** @enum {string} */
            visibility: "public" | "authenticated" | "invite_only";
        };
        /**
         * @example {
         *       "shared": true,
         *       "visibility": "public"
         *     }
         */
        SharingChange: {
            /** @description Visibility invite_only: the complete list of invited identities; absent: none. New ones receive an invitation. */
            invites?: string[];
            /** @description Absent: unchanged. */
            shared?: boolean;
            /**
             * @description Who may open the link. Required when sharing is enabled.
             * @enum {string}
             */
            visibility?: "public" | "authenticated" | "invite_only";
        };
        /**
         * @example {
         *       "invite_id": "inv_Dw2nV7qTk9XrB4mLs6YpHg",
         *       "identity": "carla@example.org",
         *       "type": "email"
         *     }
         */
        SharingInvite: {
            identity: string;
            invite_id: string;
            /** @enum {string} */
            type: "email" | "phone";
        };
        /**
         * @example {
         *       "access_token": "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ1c3JfV205a1QzdlF4N1pyTjVuTGIyWXNIZiJ9.c2ln",
         *       "refresh_token": "vkr_Ab8yR3nWq6XvM2kLs9TpZjUAAAABbQ7wN4xT1cVe5Hf0uKi2oPa9sDg3lZr6mYtB8vJnCq",
         *       "user": {
         *         "user_id": "usr_Wm9kT3vQx7ZrN5nLb2YsHf",
         *         "email": "ana@example.com",
         *         "name": "Ana Example",
         *         "role": "owner"
         *       },
         *       "account": {
         *         "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *         "organization_name": "Example Ltd.",
         *         "status": "active"
         *       }
         *     }
         */
        SignInSession: {
            /** @description For `Authorization: Bearer`; valid for one hour. */
            access_token: string;
            account: components["schemas"]["SessionAccount"] | null;
            /** @description Only in an identity-only session: the invitations that the person may accept or decline. */
            invitations?: components["schemas"]["PendingInvitation"][];
            /** @description Single-use, valid for 30 days. Absent for browsers, which receive it in a cookie. */
            refresh_token?: string;
            user: components["schemas"]["SessionUser"] | null;
        };
        /**
         * @example {
         *       "organization_name": "Example Ltd."
         *     }
         */
        SignUp: {
            /** @description Default: the name from the identity provider. */
            full_name?: string;
            organization_name: string;
        };
        /**
         * @example {
         *       "spark_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *       "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *       "content_type": "text/plain",
         *       "status": "active",
         *       "size_bytes": 28,
         *       "ttl_minutes": 1440,
         *       "created_at": 1795600000,
         *       "expires_at": 1795686400,
         *       "burned_at": null,
         *       "time_remaining": 86400
         *     }
         */
        Spark: {
            /** @description The owner. */
            account_id: string;
            burned_at: number | null;
            content_type: string;
            created_at: number;
            expires_at: number;
            filename?: string;
            kindling?: string;
            /** @description Link Sparks only. */
            link_code?: string;
            /** @description Link Sparks only. */
            link_url?: string;
            size_bytes: number;
            spark_id: string;
            /** @enum {string} */
            status: "active" | "reading" | "ash" | "expired";
            /** @description Seconds until expires_at; 0 afterwards. */
            time_remaining: number;
            ttl_minutes: number;
        };
        /**
         * @example {
         *       "days": 7,
         *       "type": "daily",
         *       "total_sparks": 9,
         *       "daily_activity": [
         *         {
         *           "date": "2026-11-18",
         *           "count": 0
         *         },
         *         {
         *           "date": "2026-11-19",
         *           "count": 2
         *         },
         *         {
         *           "date": "2026-11-20",
         *           "count": 0
         *         },
         *         {
         *           "date": "2026-11-21",
         *           "count": 0
         *         },
         *         {
         *           "date": "2026-11-22",
         *           "count": 3
         *         },
         *         {
         *           "date": "2026-11-23",
         *           "count": 0
         *         },
         *         {
         *           "date": "2026-11-24",
         *           "count": 0
         *         },
         *         {
         *           "date": "2026-11-25",
         *           "count": 4
         *         }
         *       ],
         *       "start_date": "2026-11-18",
         *       "end_date": "2026-11-25"
         *     }
         */
        SparkActivity: {
            /** @description Oldest first; today is the last day, in addition to the requested ones. */
            daily_activity?: components["schemas"]["SparkDay"][];
            days: number;
            /** @description Daily only: the last date, today in UTC. */
            end_date?: string;
            hourly_activity?: components["schemas"]["SparkHour"][];
            /** @description Daily only: the first date. */
            start_date?: string;
            /** @description The sum of the counts. */
            total_sparks: number;
            /**
             * @description hourly if days is 1.
             * @enum {string}
             */
            type: "hourly" | "daily";
        };
        /**
         * @example {
         *       "spark_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *       "payload": "correct horse battery staple",
         *       "content_type": "text/plain",
         *       "filename": null,
         *       "size_bytes": 28,
         *       "status": "ash",
         *       "created_at": 1795600000,
         *       "burned_at": 1795600095,
         *       "was_active": true
         *     }
         */
        SparkContent: {
            burned_at: number;
            content_type: string;
            created_at: number;
            filename: string | null;
            /** @description Text as it was created; base64 if the content is binary. */
            payload: string;
            size_bytes: number;
            spark_id: string;
            /** @enum {string} */
            status: "ash";
            was_active: boolean;
        };
        /**
         * @example {
         *       "date": "2026-11-24",
         *       "count": 1
         *     }
         */
        SparkDay: {
            count: number;
            /** @description YYYY-MM-DD. */
            date: string;
        };
        /**
         * @example {
         *       "total": 120,
         *       "active": 8,
         *       "burned": 109,
         *       "expired": 3,
         *       "created_this_period": 45,
         *       "rate_per_day": 1.5
         *     }
         */
        SparkFigures: {
            /** @description Those that can be read now. */
            active: number;
            /** @description Those that were read. */
            burned: number;
            created_this_period: number;
            /** @description Those that expired unread. */
            expired: number;
            /** @description created_this_period divided by period_days, with two decimals. */
            rate_per_day: number;
            /** @description All that were ever created. */
            total: number;
        };
        /**
         * @example {
         *       "hour": 1,
         *       "count": 1
         *     }
         */
        SparkHour: {
            count: number;
            /** @description 23 is the current UTC hour, 0 the one 23 hours before. */
            hour: number;
        };
        /**
         * @example {
         *       "link_code": "hT5vX9kQm2Zr7nLsB4wYcD",
         *       "link_url": "https://link.example.com/hT5vX9kQm2Zr7nLsB4wYcD",
         *       "link_type": "spark",
         *       "asset_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *       "visibility": "public",
         *       "status": "active",
         *       "expires_at": 1795686400,
         *       "created_at": 1795600000,
         *       "invites": []
         *     }
         */
        SparkLink: {
            /** @description The Spark or ingot. */
            asset_id?: string;
            /** @description The one IP address that may open the link. */
            bound_ip?: string;
            created_at: number;
            /** @description null: a durable link, which ends when sharing is disabled. */
            expires_at: number | null;
            invites: components["schemas"]["InvitedIdentity"][];
            /** @description Anyone with this code can open the link. */
            link_code: string;
            /** @enum {string} */
            link_type: "spark" | "ingot";
            /** @description The page that opens the link in a browser. */
            link_url: string;
            /** @description Seconds. */
            session_length?: number;
            /** @enum {string} */
            status: "active" | "consumed" | "revoked";
            /** @description Links of ingots only. */
            vault_id?: string;
            verified_at?: number;
            /** @description The identity that was last verified. */
            verified_by?: string;
            /** @enum {string} */
            visibility: "public" | "authenticated" | "invite_only";
        };
        /**
         * @example {
         *       "link_code": "hT5vX9kQm2Zr7nLsB4wYcD",
         *       "link_url": "https://link.example.com/hT5vX9kQm2Zr7nLsB4wYcD",
         *       "link_type": "spark",
         *       "asset_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *       "visibility": "public",
         *       "status": "active",
         *       "expires_at": 1795686400,
         *       "created_at": 1795600000,
         *       "invites": []
         *     }
         */
        SparkLinkSummary: {
            /** @description The Spark or ingot. */
            asset_id?: string;
            /** @description The one IP address that may open the link. */
            bound_ip?: string;
            created_at: number;
            /** @description null: a durable link, which ends when sharing is disabled. */
            expires_at: number | null;
            invites: string[];
            /** @description Anyone with this code can open the link. */
            link_code: string;
            /** @enum {string} */
            link_type: "spark" | "ingot";
            /** @description The page that opens the link in a browser. */
            link_url: string;
            /** @description Seconds. */
            session_length?: number;
            /** @enum {string} */
            status: "active" | "consumed" | "revoked";
            /** @description Links of ingots only. */
            vault_id?: string;
            verified_at?: number;
            /** @description The identity that was last verified. */
            verified_by?: string;
            /** @enum {string} */
            visibility: "public" | "authenticated" | "invite_only";
        };
        /**
         * @example {
         *       "sparks": [
         *         {
         *           "spark_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *           "account_id": "acc_K3vQ8mZt1XrB7nLs5YpAdW",
         *           "content_type": "text/plain",
         *           "status": "active",
         *           "size_bytes": 28,
         *           "ttl_minutes": 1440,
         *           "created_at": 1795600000,
         *           "expires_at": 1795686400,
         *           "burned_at": null,
         *           "time_remaining": 86400
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false
         *     }
         */
        SparkList: {
            sparks: components["schemas"]["Spark"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "shared": true,
         *       "spark_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *       "share_url": "https://link.example.com/hT5vX9kQm2Zr7nLsB4wYcD",
         *       "link_code": "hT5vX9kQm2Zr7nLsB4wYcD",
         *       "visibility": "public",
         *       "invites": [],
         *       "status": "active",
         *       "expires_at": 1795686400,
         *       "created_at": 1795600000
         *     }
         */
        SparkShare: {
            created_at?: number;
            expires_at?: number;
            invites?: string[];
            /** @description Anyone with this code can open the link. */
            link_code?: string;
            /** @description The page that opens the link in a browser. */
            share_url?: string;
            shared: boolean;
            spark_id: string;
            /** @enum {string} */
            status?: "active" | "consumed" | "revoked";
            /** @enum {string} */
            visibility?: "public" | "authenticated" | "invite_only";
        };
        /**
         * @example {
         *       "visibility": "public"
         *     }
         */
        SparkSharing: {
            /** @description Lifetime of the link in seconds, for a first share. The expiry of the Spark is its maximum and default. */
            expires_in_seconds?: number;
            /** @description Visibility invite_only: the identity that may open the link. A new one receives an invitation. */
            invites?: string[];
            /**
             * @description Who may open the link.
             * @default public
             * @enum {string}
             */
            visibility?: "public" | "authenticated" | "invite_only";
        };
        /**
         * @example {
         *       "authorize_url": "https://slack.com/oauth/v2/authorize?client_id=CLIENT_ID&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&state=STATE",
         *       "state": "Zr8LmT4vQx2NkB7wYs9PdH3fJc6GaU1eK5iOoXqWRtV",
         *       "expires_at": 1795686400
         *     }
         */
        StartedOAuth: {
            /** @description The consent page of the provider. Open it in the browser of this session. */
            authorize_url: string;
            expires_at: number;
            /** @description The state of the redirect. The callback accepts it once, from this session. */
            state: string;
        };
        /**
         * @example {
         *       "set": {
         *         "db_password": "correct horse battery staple"
         *       }
         *     }
         */
        StructuredChange: {
            /** @description Names of keys to remove. Unknown names are ignored. */
            delete?: string[];
            /** @description Keys to add or overwrite, with their values. */
            set?: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "version": 1,
         *       "key_count": 2,
         *       "name": "production",
         *       "created_at": 1795600000
         *     }
         */
        StructuredCreated: {
            created_at: number;
            ingot_id: string;
            key_count: number;
            /** @description Unique in its folder, without regard to case. */
            name: string;
            /** @description Increases by one with each change. An overwritten ingot starts again at 1. */
            version: number;
        };
        /**
         * @example {
         *       "ingots": [
         *         {
         *           "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *           "name": "production",
         *           "version": null,
         *           "key_count": null,
         *           "created_at": 1795600000,
         *           "updated_at": 1795600060
         *         }
         *       ],
         *       "count": 1
         *     }
         */
        StructuredList: {
            /** @description Ingots in this reply. */
            count: number;
            ingots: components["schemas"]["StructuredSummary"][];
        };
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "values": {
         *         "db_password": {
         *           "spark_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *           "expires_at": 1795600900
         *         }
         *       },
         *       "missing_keys": []
         *     }
         */
        StructuredReading: {
            created_at?: number;
            ingot_id: string;
            key_count?: number;
            /** @description Without ?keys=, together with name, version, key_count and times: all key names in the order of their code points. */
            keys?: string[];
            /** @description With ?keys=: the names of keys that do not exist. */
            missing_keys?: string[];
            /** @description Unique in its folder, without regard to case. */
            name?: string;
            updated_at?: number;
            /** @description With ?keys=: a Spark for each key found. Only this account can read it. */
            values?: {
                [key: string]: components["schemas"]["StructuredValue"];
            };
            /** @description Increases by one with each change. An overwritten ingot starts again at 1. */
            version?: number;
        };
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "name": "production",
         *       "version": null,
         *       "key_count": null,
         *       "created_at": 1795600000,
         *       "updated_at": 1795600060
         *     }
         */
        StructuredSummary: {
            created_at: number;
            ingot_id: string;
            /** @description Always null in lists; read the ingot for its value. */
            key_count: null;
            /** @description Unique in its folder, without regard to case. */
            name: string;
            updated_at: number;
            /** @description Always null in lists; read the ingot for its value. */
            version: null;
        };
        /**
         * @example {
         *       "ingot_id": "ing_6nQ0bVtX4yKfWm2RzLc8Ha",
         *       "version": 2,
         *       "key_count": 2,
         *       "updated_at": 1795600060
         *     }
         */
        StructuredUpdated: {
            ingot_id: string;
            key_count: number;
            updated_at: number;
            /** @description Increases by one with each change. An overwritten ingot starts again at 1. */
            version: number;
        };
        /**
         * @example {
         *       "spark_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *       "expires_at": 1795600900
         *     }
         */
        StructuredValue: {
            expires_at: number;
            spark_id: string;
        };
        /**
         * @example {
         *       "status": "active",
         *       "biller": "manual",
         *       "plan": "team",
         *       "seats": 2,
         *       "storage_blocks": 0,
         *       "bandwidth_blocks": 0,
         *       "allowance": {
         *         "storage_bytes": 1099511627776,
         *         "bandwidth_bytes": 2199023255552,
         *         "seats": 17
         *       },
         *       "price": {
         *         "amount": 5700,
         *         "currency": "eur"
         *       },
         *       "credit_balance": {
         *         "amount": 0,
         *         "currency": "eur"
         *       },
         *       "current_period_start": 1795600000,
         *       "current_period_end": 1798192000,
         *       "cancel_at_period_end": false,
         *       "version": 2
         *     }
         */
        Subscription: {
            allowance: components["schemas"]["Allowance"];
            /** @description Blocks of bandwidth bought. */
            bandwidth_blocks: number;
            /**
             * @description Who bills it. An app store also changes and cancels it.
             * @enum {string}
             */
            biller: "manual" | "stripe" | "apple" | "google";
            /** @description The subscription ends with the current period. */
            cancel_at_period_end: boolean;
            /** @description Credit that the next invoices use up. Negative: amounts too small to collect, which they add. */
            credit_balance: components["schemas"]["Money"];
            current_period_end: number;
            current_period_start: number;
            plan: string;
            /** @description For a period of 30 days. */
            price: components["schemas"]["Money"];
            /** @description Seats in addition to those of the plan. */
            seats: number;
            /** @enum {string} */
            status: "active" | "past_due" | "canceled";
            /** @description Blocks of storage bought. */
            storage_blocks: number;
            /** @description Counts the changes; pins an adjustment to its preview. */
            version: number;
        };
        /**
         * @example {
         *       "suppression_id": "sup_c1vXo7PZkQm4Rt9LdWyB2s",
         *       "address": "ada@example.com",
         *       "reason": "EENVELOPE 550 5.1.1",
         *       "created_at": 1795600000
         *     }
         */
        Suppression: {
            address: string;
            created_at: number;
            /** @description The code with which the mail server refused the address (RFC 3463). */
            reason: string;
            suppression_id: string;
        };
        /**
         * @example {
         *       "suppressions": [
         *         {
         *           "suppression_id": "sup_c1vXo7PZkQm4Rt9LdWyB2s",
         *           "address": "ada@example.com",
         *           "reason": "EENVELOPE 550 5.1.1",
         *           "created_at": 1795600000
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false
         *     }
         */
        SuppressionList: {
            suppressions: components["schemas"]["Suppression"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "transaction_id": "txn_Nf5tV8qRx2ZkM7wLb4YsGd",
         *       "type": "spark_create",
         *       "resource": "storage",
         *       "quantity": 28,
         *       "unit": "bytes",
         *       "reference_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *       "vault_id": null,
         *       "actor_type": "api_key",
         *       "aggregated": false,
         *       "created_at": 1795600000
         *     }
         */
        Transaction: {
            /** @description user, api_key, link or app (an integration); system without an actor, and for summaries. */
            actor_type: string;
            /** @description Whether a summary contains the transaction. The others sum up to the usage. */
            aggregated: boolean;
            /** @description The time of the event; the start of the UTC day of a summary. */
            created_at: number;
            /** @description Negative where storage is released. */
            quantity: number;
            /** @description The Spark, vault, ingot or other resource; null: a summary. */
            reference_id: string | null;
            /** @enum {string} */
            resource: "storage" | "bandwidth" | "operation";
            /** @description Derived from the event and the resource. */
            transaction_id: string;
            /** @description For example spark_create. */
            type: string;
            /** @enum {string} */
            unit: "bytes" | "count";
            vault_id: string | null;
        };
        /**
         * @example {
         *       "transactions": [
         *         {
         *           "transaction_id": "txn_Nf5tV8qRx2ZkM7wLb4YsGd",
         *           "type": "spark_create",
         *           "resource": "storage",
         *           "quantity": 28,
         *           "unit": "bytes",
         *           "reference_id": "spk_Zk4mQ9vT2xW7rB1nLs8YpA",
         *           "vault_id": null,
         *           "actor_type": "api_key",
         *           "aggregated": false,
         *           "created_at": 1795600000
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false
         *     }
         */
        TransactionPage: {
            transactions: components["schemas"]["Transaction"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "total_access_count": 37,
         *       "total_bytes": 51904112,
         *       "total_mb": 49.5,
         *       "total_gb": 0.05
         *     }
         */
        TransferFigures: {
            /** @description Downloads that have started. */
            total_access_count: number;
            /** @description Received and sent bytes, those of incomplete transfers included. */
            total_bytes: number;
            /** @description With two decimals. */
            total_gb: number;
            /** @description With two decimals. */
            total_mb: number;
        };
        /**
         * @example {
         *       "vat": "vat_Jd6nQ0bVtX4yKfWm2RzLc8HaZk4mQ9vT2xW7rB1nLs8YpSxc1",
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *       "issued_at": 1795600000,
         *       "expires_at": 1795603600,
         *       "ttl_seconds": 3600,
         *       "warning": "Keep this token safe: it opens the vault until it expires. It is stored nowhere and is not shown again."
         *     }
         */
        UnsealedVault: {
            /** @description issued_at plus ttl_seconds. */
            expires_at: number;
            issued_at: number;
            ttl_seconds: number;
            /** @description The Vault Access Token, for X-Vault-Access-Token. Returned only here. */
            vat: string;
            vault_id: string;
            warning: string;
        };
        /**
         * @example {
         *       "vmk": "vmk_Rm4QhL07dJ2y2MpVOk2atlWkmiZ1sQIRIttOiS5M3SY330Ud8"
         *     }
         */
        Unsealing: {
            /** @description A delegated key, exactly as issued. Exactly one of vmk and dvak_token is required. */
            dvak_token?: string;
            /** @default 3600 */
            ttl_seconds?: number;
            /** @description The Vault Master Key. Older integrations may send a delegated key here. */
            vmk?: string;
        };
        /**
         * @example {
         *       "shared": false,
         *       "message": "This Spark is not shared. The Spark itself is kept."
         *     }
         */
        UnsharedSpark: {
            message: string;
            shared: boolean;
        };
        /**
         * @example {
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *       "name": "Contracts",
         *       "description": "Contracts of our customers",
         *       "updated_at": 1795600060
         *     }
         */
        UpdatedVault: {
            description: string | null;
            name: string;
            updated_at: number;
            vault_id: string;
        };
        /**
         * @example {
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *       "folder_id": "fld_Jh5kT9vNq3XrB7mLs2YpGf",
         *       "vat": "vat_Jd6nQ0bVtX4yKfWm2RzLc8HaZk4mQ9vT2xW7rB1nLs8YpSxc1"
         *     }
         */
        UploadContext: {
            folder_id: string;
            vat: string;
            vault_id: string;
        };
        /**
         * @example {
         *       "object_type": "contact",
         *       "record_id": "12345",
         *       "vmk": "vmk_Rm4QhL07dJ2y2MpVOk2atlWkmiZ1sQIRIttOiS5M3SY330Ud8"
         *     }
         */
        UploadContextRequest: {
            /** @description A delegated key. */
            dvak_token?: string;
            /** @description The type of the record, such as contact. */
            object_type: string;
            /** @description The org of crmb, which must be the one of the session. */
            org_id?: string;
            /** @description The portal of crma; ignored, because the signed query names it. */
            portal_id?: string;
            /** @description The id of the record. */
            record_id: string;
            /** @default 3600 */
            ttl_seconds?: number;
            /** @description The person, who must be the one of the session of crmb; crma names the person in the query. */
            user_id?: string;
            /** @description The token of unseal. */
            vat?: string;
            /** @description The Vault Master Key. */
            vmk?: string;
        };
        /**
         * @example {
         *       "period": "month",
         *       "metric": "operations",
         *       "granularity": 86400,
         *       "granularity_label": "daily",
         *       "start_time": 1793008000,
         *       "end_time": 1795600000,
         *       "data_points": [
         *         {
         *           "timestamp": 1795564800,
         *           "datetime": "2026-11-25T00:00:00Z",
         *           "operations": 12,
         *           "sparks_created": 4,
         *           "vaults_created": 0,
         *           "ingots_created": 1
         *         }
         *       ]
         *     }
         */
        UsageOverTime: {
            data_points: components["schemas"]["UsagePoint"][];
            /** @description Now. */
            end_time: number;
            /** @description Seconds of one data point: 3600 or 86400. */
            granularity: number;
            /** @enum {string} */
            granularity_label: "hourly" | "daily";
            /** @description As requested. */
            metric: string;
            /**
             * @description The period that is shown.
             * @enum {string}
             */
            period: "day" | "week" | "month" | "bimonth" | "quarter";
            start_time: number;
        };
        /**
         * @example {
         *       "timestamp": 1795564800,
         *       "datetime": "2026-11-25T00:00:00Z",
         *       "operations": 12,
         *       "sparks_created": 4,
         *       "vaults_created": 0,
         *       "ingots_created": 1
         *     }
         */
        UsagePoint: {
            /** @description The same in ISO 8601. */
            datetime: string;
            /** @description Files whose upload was opened, and structured ingots. */
            ingots_created: number;
            operations: number;
            sparks_created: number;
            /** @description The start of the hour or day. */
            timestamp: number;
            vaults_created: number;
        };
        /**
         * @example {
         *       "used": 1,
         *       "limit": 100,
         *       "pct": 1,
         *       "state": "ok"
         *     }
         */
        UsagePool: {
            /** @description Bytes; users for the pool identity. */
            limit: number;
            /** @description used divided by limit; above 1 where more is used. */
            pct: number;
            /**
             * @description notice from 75 % of the limit, warning from 90 %, exhausted from 100 %.
             * @enum {string}
             */
            state: "ok" | "notice" | "warning" | "exhausted";
            /** @description Bytes; users for the pool identity. */
            used: number;
        };
        /**
         * @example {
         *       "storage": {
         *         "used": 48211004,
         *         "limit": 1099511627776,
         *         "pct": 0.00004,
         *         "state": "ok"
         *       },
         *       "bandwidth": {
         *         "used": 51904112,
         *         "limit": 2199023255552,
         *         "pct": 0.00002,
         *         "state": "ok",
         *         "cycle_resets_at": 1798192000
         *       },
         *       "identity": {
         *         "used": 2,
         *         "limit": 17,
         *         "pct": 0.12,
         *         "state": "ok"
         *       }
         *     }
         */
        UsagePools: {
            bandwidth: components["schemas"]["BandwidthPool"];
            identity: components["schemas"]["UsagePool"];
            /** @description Reservations of incomplete uploads count as used. */
            storage: components["schemas"]["UsagePool"];
        };
        /**
         * @example {
         *       "user_id": "usr_Hd4vQ9mTz2XrB7nLs5YpKw",
         *       "email": "ben@example.com",
         *       "name": "Ben Example",
         *       "role": "member",
         *       "seat": "full",
         *       "status": "active",
         *       "created_at": 1795600000
         *     }
         */
        User: {
            created_at: number;
            email: string;
            name: string | null;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            /** @enum {string} */
            seat: "full" | "viewer";
            /** @enum {string} */
            status: "invited" | "active";
            user_id: string;
        };
        /**
         * @example {
         *       "role": "member"
         *     }
         */
        UserChange: {
            name?: string;
            /** @enum {string} */
            role?: "owner" | "admin" | "member";
            /** @enum {string} */
            seat?: "full" | "viewer";
        };
        /**
         * @example {
         *       "users": [
         *         {
         *           "user_id": "usr_Hd4vQ9mTz2XrB7nLs5YpKw",
         *           "email": "ben@example.com",
         *           "name": "Ben Example",
         *           "role": "member",
         *           "seat": "full",
         *           "status": "active",
         *           "created_at": 1795600000
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false
         *     }
         */
        UserPage: {
            users: components["schemas"]["User"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "store": "apple",
         *       "product_id": "com.example.team",
         *       "expires_at": 1798192000,
         *       "subscription": {
         *         "status": "active",
         *         "biller": "apple",
         *         "plan": "team",
         *         "seats": 2,
         *         "storage_blocks": 0,
         *         "bandwidth_blocks": 0,
         *         "allowance": {
         *           "storage_bytes": 1099511627776,
         *           "bandwidth_bytes": 2199023255552,
         *           "seats": 17
         *         },
         *         "price": {
         *           "amount": 5700,
         *           "currency": "eur"
         *         },
         *         "credit_balance": {
         *           "amount": 0,
         *           "currency": "eur"
         *         },
         *         "current_period_start": 1795600000,
         *         "current_period_end": 1798192000,
         *         "cancel_at_period_end": false,
         *         "version": 2
         *       }
         *     }
         */
        ValidatedPurchase: {
            /** @description When the store renews the purchase or lets it lapse. */
            expires_at: number;
            /** @description The product in the store. */
            product_id: string;
            /** @enum {string} */
            store: "apple" | "google";
            subscription: components["schemas"]["Subscription"];
        };
        /**
         * @example {
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *       "name": "Contracts",
         *       "description": "Contracts of our customers",
         *       "status": "unsealed",
         *       "public_file_sharing": false,
         *       "ingot_count": 12,
         *       "storage_bytes": 48211004,
         *       "total_access_count": 37,
         *       "total_bandwidth_bytes": 51904112,
         *       "created_at": 1795600000,
         *       "created_by_user_id": null,
         *       "last_unsealed_at": 1795601800,
         *       "unseal_count": 4
         *     }
         */
        Vault: {
            created_at: number;
            /** @description null if an API key created the vault. */
            created_by_user_id: string | null;
            description: string | null;
            ingot_count: number;
            /** @description null until the vault is first unsealed. */
            last_unsealed_at: number | null;
            name: string;
            /** @description Whether files of the vault may be shared. */
            public_file_sharing: boolean;
            /**
             * @description unsealed while at least one Vault Access Token is valid.
             * @enum {string}
             */
            status: "sealed" | "unsealed";
            storage_bytes: number;
            total_access_count: number;
            total_bandwidth_bytes: number;
            unseal_count: number;
            vault_id: string;
        };
        /**
         * @example {
         *       "vault": {
         *         "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *         "name": "Contracts",
         *         "status": "unsealed",
         *         "created_at": 1795600000
         *       },
         *       "statistics": {
         *         "total_ingots": 12,
         *         "ingots_created_this_period": 3,
         *         "total_storage_bytes": 48211004,
         *         "total_storage_gb": "0.04",
         *         "average_ingot_size_bytes": 4017584,
         *         "large_ingots_count": 0,
         *         "small_ingots_count": 4,
         *         "last_unsealed_at": 1795601800,
         *         "unseal_count": 4
         *       },
         *       "activity": {
         *         "period": "month",
         *         "ingots_created": 3,
         *         "storage_added_bytes": 4448709
         *       }
         *     }
         */
        VaultAnalytics: {
            activity: components["schemas"]["VaultGrowth"];
            statistics: components["schemas"]["VaultStatistics"];
            vault: components["schemas"]["AnalyzedVault"];
        };
        /**
         * @example {
         *       "description": "Contracts of our customers"
         *     }
         */
        VaultChange: {
            /** @description null removes the description. */
            description?: string | null;
            name?: string;
            /** @description Whether files may be shared. Only admins, owners and API keys may set it. */
            public_file_sharing?: boolean;
        };
        /**
         * @example {
         *       "total": 4,
         *       "active": 3,
         *       "created_this_period": 1,
         *       "rate_per_day": 0.03
         *     }
         */
        VaultFigures: {
            /** @description Those that were not deleted. */
            active: number;
            created_this_period: number;
            /** @description created_this_period divided by period_days, with two decimals. */
            rate_per_day: number;
            /** @description All that were ever created. */
            total: number;
        };
        /**
         * @example {
         *       "period": "month",
         *       "ingots_created": 3,
         *       "storage_added_bytes": 4448709
         *     }
         */
        VaultGrowth: {
            ingots_created: number;
            /** @description The period as requested; month without one. */
            period: string;
            /** @description Bytes of those ingots. */
            storage_added_bytes: number;
        };
        /**
         * @example {
         *       "vaults": [
         *         {
         *           "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *           "name": "Contracts",
         *           "status": "sealed",
         *           "ingot_count": 12,
         *           "storage_bytes": 48211004,
         *           "total_access_count": 37,
         *           "total_bandwidth_bytes": 51904112,
         *           "created_at": 1795600000
         *         }
         *       ],
         *       "count": 1,
         *       "has_more": false
         *     }
         */
        VaultPage: {
            vaults: components["schemas"]["VaultSummary"][];
        } & components["schemas"]["Page"];
        /**
         * @example {
         *       "total_ingots": 12,
         *       "ingots_created_this_period": 3,
         *       "total_storage_bytes": 48211004,
         *       "total_storage_gb": "0.04",
         *       "average_ingot_size_bytes": 4017584,
         *       "large_ingots_count": 0,
         *       "small_ingots_count": 4,
         *       "last_unsealed_at": 1795601800,
         *       "unseal_count": 4
         *     }
         */
        VaultStatistics: {
            /** @description Rounded; 0 without ingots. */
            average_ingot_size_bytes: number;
            ingots_created_this_period: number;
            /** @description Ingots of 100 MiB or more, unless configured otherwise. */
            large_ingots_count: number;
            /** @description null until the vault is first unsealed. */
            last_unsealed_at: number | null;
            /** @description Ingots below 1 MiB, unless configured otherwise. */
            small_ingots_count: number;
            total_ingots: number;
            total_storage_bytes: number;
            /** @description A text; a GB has 1024^3 bytes. */
            total_storage_gb: string;
            unseal_count: number;
        };
        /**
         * @example {
         *       "vault_id": "vlt_Pb7nV2qTx9ZkR4mLs6YwDc",
         *       "name": "Contracts",
         *       "status": "sealed",
         *       "ingot_count": 12,
         *       "storage_bytes": 48211004,
         *       "total_access_count": 37,
         *       "total_bandwidth_bytes": 51904112,
         *       "created_at": 1795600000
         *     }
         */
        VaultSummary: {
            created_at: number;
            ingot_count: number;
            name: string;
            /**
             * @description Lists show an unsealed vault as sealed.
             * @enum {string}
             */
            status: "sealed" | "deleting";
            storage_bytes: number;
            total_access_count: number;
            total_bandwidth_bytes: number;
            vault_id: string;
        };
        /**
         * @example {
         *       "identity": "carla@example.org",
         *       "code": "417093"
         *     }
         */
        VerificationAnswer: {
            /** @description The code as it was sent. */
            code: string;
            identity: string;
        };
        /**
         * @example {
         *       "identity": "carla@example.org"
         *     }
         */
        VerificationStart: {
            /** @description The identity that receives the code. */
            identity: string;
        };
        /**
         * @example {
         *       "sent": true,
         *       "expires_at": 1795600600
         *     }
         */
        VerificationStarted: {
            /** @description When the code expires. */
            expires_at: number;
            sent: boolean;
        };
        /**
         * @example {
         *       "verification_token": "Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpAx5Kf0",
         *       "expires_at": 1795600600
         *     }
         */
        Verified: {
            expires_at: number;
            /** @description For the body of the request that opens the link. */
            verification_token: string;
        };
        /**
         * @example {
         *       "viewer_token": "eyJhbGciOiJFZERTQSIsInR5cCI6InZpZXdlcitqd3QifQ.eyJhdWQiOiJ2aWV3ZXIifQ.c2lnbmF0dXJl",
         *       "expires_in": 300
         *     }
         */
        ViewerToken: {
            /** @description Lifetime in seconds, always 300. */
            expires_in: number;
            viewer_token: string;
        };
        /**
         * @example {
         *       "received": true
         *     }
         */
        WebhookReceived: {
            /** @description Always true. */
            received: boolean;
        };
        /**
         * @example {
         *       "url": "url"
         *     }
         */
        WebhookTarget: {
            /** @description Signs the requests (Standard Webhooks). Returned only once, after it was generated. */
            secret?: string;
            /** @description https URL; on the local profile also http on loopback. */
            url: string;
        };
        /**
         * @example {
         *       "url": "url"
         *     }
         */
        WebhookTargetChanges: {
            /** @description Signs the requests (Standard Webhooks). Absent: unchanged, at first generated. null: a new one is generated. For 24 hours after a change, requests have a signature of the former secret, too. */
            secret?: string | null;
            /** @description https URL; on the local profile also http on loopback. */
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
};
export type $defs = Record<string, never>;
export interface operations {
    readJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwkSet"];
                };
            };
        };
    };
    openLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code of a SparkLink: the last path segment of its URL. */
                link_code: string;
            };
            cookie?: never;
        };
        /** @description At most 4 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LinkOpening"];
            };
        };
        responses: {
            /** @description Success, without envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkContent"];
                };
            };
        };
    };
    interact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code of a SparkLink: the last path segment of its URL. */
                link_code: string;
            };
            cookie?: never;
        };
        /** @description At most 64 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInteraction"];
            };
        };
        responses: {
            /** @description Success, without envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InteractionReceipt"];
                };
            };
        };
    };
    startPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code of a SparkLink: the last path segment of its URL. */
                link_code: string;
            };
            cookie?: never;
        };
        /** @description At most 4 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PasskeyRequest"];
            };
        };
        responses: {
            /** @description Success, without envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
        };
    };
    verifyPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code of a SparkLink: the last path segment of its URL. */
                link_code: string;
            };
            cookie?: never;
        };
        /** @description At most 32 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyAnswer"];
            };
        };
        responses: {
            /** @description Success, without envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verified"];
                };
            };
        };
    };
    confirmVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code of a SparkLink: the last path segment of its URL. */
                link_code: string;
            };
            cookie?: never;
        };
        /** @description At most 4 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerificationAnswer"];
            };
        };
        responses: {
            /** @description Success, without envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verified"];
                };
            };
        };
    };
    startVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code of a SparkLink: the last path segment of its URL. */
                link_code: string;
            };
            cookie?: never;
        };
        /** @description At most 4 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerificationStart"];
            };
        };
        responses: {
            /** @description Success, without envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationStarted"];
                };
            };
        };
    };
    readAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AccountChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteAccountLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedLogo"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description Only events of exactly this type. */
                event_type?: string;
                /** @description 1 to 200; more means 200, any other value 50. */
                limit?: string;
                /** @description Is returned; the window is always the last 24 hours. Default: day. */
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Activity"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readApiKeyAnalytics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKeyAnalytics"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readAnalyticsOverview: {
        parameters: {
            query?: {
                /** @description day, week, month (30 days) or quarter (90 days); any other value means 30 days. */
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsOverview"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readSparkActivity: {
        parameters: {
            query?: {
                /** @description 1 to 365; any other value means 7. */
                days?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SparkActivity"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readUsageOverTime: {
        parameters: {
            query?: {
                /** @description Is returned and filters nothing. Default: operations. */
                metric?: string;
                /** @description day (by hour), week, month, bimonth (60 days) or quarter (90 days, all by UTC day); any other value means month. */
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageOverTime"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readVaultAnalytics: {
        parameters: {
            query?: {
                /** @description day, week or month (30 days, the default); any other value means since the vault exists. */
                period?: string;
            };
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VaultAnalytics"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKeyPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedApiKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RevokedApiKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listApps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AppList"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["App"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    updateApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstallationChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["App"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    installApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewInstallation"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["App"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    startOAuth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OAuthStart"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StartedOAuth"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteInPanel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PanelFile"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedRecordFile"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    downloadInPanel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PanelFile"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordDownload"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listInPanel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        /** @description As the provider sends it. */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/x-www-form-urlencoded": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordFiles"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    openPanel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        /** @description As the provider sends it. */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/x-www-form-urlencoded": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OpenedPanel"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    shareInPanel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPanelLink"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedIngotLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    unsealInPanel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PanelUnsealing"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordAccess"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    uploadInPanel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPanelFile"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IngotUpload"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readChatAnalytics: {
        parameters: {
            query?: {
                /** @description One day, summed up by person. It takes precedence over a range. */
                date?: string;
                /** @description Last day; today by default. */
                end_date?: string;
                /** @description First day; 30 days before the last one by default. */
                start_date?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChatAnalytics"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    connectChatapp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Authorization"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChatConnection"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    disconnectChatapp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChatDisconnection"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    receiveChatCommand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by the provider. */
                "x-chat-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-chat-signature"?: string;
                /** @description Set by the provider. */
                "x-slack-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-slack-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As the provider sends it. */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/x-www-form-urlencoded": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Success, without envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswer"];
                };
            };
        };
    };
    receiveChatEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by the provider. */
                "x-chat-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-chat-signature"?: string;
                /** @description Set by the provider. */
                "x-slack-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-slack-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As the provider sends it. */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/x-www-form-urlencoded": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Success, without envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswer"];
                };
            };
        };
    };
    receiveChatInteraction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by the provider. */
                "x-chat-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-chat-signature"?: string;
                /** @description Set by the provider. */
                "x-slack-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-slack-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As the provider sends it. */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/x-www-form-urlencoded": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Success, without envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswer"];
                };
            };
        };
    };
    deleteCrmaFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by the provider. */
                "x-crma-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-crma-signature-v3"?: string;
                /** @description Set by the provider. */
                "x-hubspot-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-hubspot-signature-v3"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordFileRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedRecordFile"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    downloadCrmaFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by the provider. */
                "x-crma-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-crma-signature-v3"?: string;
                /** @description Set by the provider. */
                "x-hubspot-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-hubspot-signature-v3"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordFileRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordDownload"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listCrmaFiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by the provider. */
                "x-crma-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-crma-signature-v3"?: string;
                /** @description Set by the provider. */
                "x-hubspot-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-hubspot-signature-v3"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CrmRecord"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordFiles"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    connectCrma: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CrmAuthorization"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CrmaConnection"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    resolveCrmaRecord: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by the provider. */
                "x-crma-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-crma-signature-v3"?: string;
                /** @description Set by the provider. */
                "x-hubspot-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-hubspot-signature-v3"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CrmRecord"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ResolvedRecord"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    disconnectCrma: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CrmaDisconnection"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    unsealCrmaVault: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by the provider. */
                "x-crma-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-crma-signature-v3"?: string;
                /** @description Set by the provider. */
                "x-hubspot-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-hubspot-signature-v3"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordUnsealing"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordAccess"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    receiveCrmaEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by the provider. */
                "x-crma-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-crma-signature-v3"?: string;
                /** @description Set by the provider. */
                "x-hubspot-request-timestamp"?: string;
                /** @description Set by the provider. */
                "x-hubspot-signature-v3"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As the provider sends it. */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/x-www-form-urlencoded": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CrmEventReceived"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteCrmbFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordFileRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedRecordFile"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    downloadCrmbFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordFileRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordDownload"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listCrmbFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CrmRecord"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordFiles"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    connectCrmb: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CrmAuthorization"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CrmbConnection"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    resolveCrmbRecord: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CrmRecord"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ResolvedRecord"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createCrmbSessionSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CrmbSessionSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    disconnectCrmb: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CrmbDisconnection"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    unsealCrmbVault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordUnsealing"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordAccess"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    prepareCrmbUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadContextRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UploadContext"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    receiveCrmbEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As the provider sends it. */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/x-www-form-urlencoded": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CrmEventReceived"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAccountAudit: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                /** @description Comma-separated types; only their entries are listed. An unknown type has none. */
                event_types?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScopedAuditPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    recordAppEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAppEvent"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AppEventEntry"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAppAudit: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                /** @description Comma-separated types; only their entries are listed. An unknown type has none. */
                event_types?: string;
                limit?: number;
            };
            header?: never;
            path: {
                app_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                /** @description Epoch seconds of the first entries; default: the beginning. */
                from?: number;
                /** @description The tree size of a checkpoint that you pinned: adds the proof that the log still continues it. */
                from_size?: number;
                /** @description Epoch seconds before which the entries happened; default: now. */
                to?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON Lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    readAuditIntegrity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditIntegrity"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    completeSignup: {
        parameters: {
            query?: never;
            header?: {
                /** @description "web" from browsers: the refresh token is then in the cookie __Host-vk_refresh alone. Others leave it out. */
                "X-VK-Client"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OpenedSession"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    exchangeCode: {
        parameters: {
            query?: {
                /** @description console: the code was sent to the console, `/console/callback` of this origin. Default: to the page of the deployment. */
                redirect?: "console";
            };
            header?: {
                /** @description "web" from browsers: the refresh token is then in the cookie __Host-vk_refresh alone. Others leave it out. */
                "X-VK-Client"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizationCode"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInSession"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    verifyIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description "web" from browsers: the refresh token is then in the cookie __Host-vk_refresh alone. Others leave it out. */
                "X-VK-Client"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityToken"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInSession"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description "web" from browsers: the refresh token is then in the cookie __Host-vk_refresh alone. Others leave it out. */
                "X-VK-Client"?: string;
            };
            path?: never;
            cookie?: {
                /** @description With X-VK-Client: web the refresh token, in place of the one in the body. Ignored without. */
                "__Host-vk_refresh"?: string;
            };
        };
        /** @description At most 64 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshToken"];
            };
        };
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description "web" from browsers: the refresh token is then in the cookie __Host-vk_refresh alone. Others leave it out. */
                "X-VK-Client"?: string;
            };
            path?: never;
            cookie?: {
                /** @description With X-VK-Client: web the refresh token, in place of the one in the body. Ignored without. */
                "__Host-vk_refresh"?: string;
            };
        };
        /** @description At most 64 KiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshToken"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RefreshedSession"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    mintViewerToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ViewerToken"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    aggregateTransactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AggregatedTransactions"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    chargeInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceToCharge"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaidInvoice"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    openCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSubscription"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Checkout"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    validatePurchase: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PurchaseProof"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ValidatedPurchase"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                limit?: number;
                /** @description Only invoices with this status. */
                status?: "draft" | "open" | "paid" | "void";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InvoicePage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaymentMethodList"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    addPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewPaymentMethod"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaymentMethod"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deletePaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                payment_method_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    makeDefaultPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                payment_method_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaymentMethod"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setUpPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaymentMethodSetup"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    openPortal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BillingPortal"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    changeSeats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SeatChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdjustedSubscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Subscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    startSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSubscription"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChangedSubscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adjustSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Adjustment"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdjustedSubscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    previewAdjustment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Adjustment"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdjustmentPreview"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                /** @description Also lists the transactions that summaries contain. */
                include_aggregated?: boolean;
                limit?: number;
                /** @description Only transactions of exactly this type. */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TransactionPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Set by the provider. */
                "stripe-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As the provider sends it. */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/x-www-form-urlencoded": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookReceived"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listDomains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DomainList"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    claimDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainName"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ClaimedDomain"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    releaseDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReleasedDomain"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    challengeDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainName"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DomainChallenge"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    generateEntropy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntropyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Entropy"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PublicHealth"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description "web" from browsers: the refresh token is then in the cookie __Host-vk_refresh alone. Others leave it out. */
                "X-VK-Client"?: string;
            };
            path: {
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["JoinedSession"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    declineInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeclinedInvitation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NotifyConfigurationState"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    putConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NotifyConfigurationChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NotifyConfigurationState"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listSends: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Inbox"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The recipient as sends name it: an id of your directory, an address or a phone number. */
                recipient_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecipientPreferences"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    putPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The recipient as sends name it: an id of your directory, an address or a phone number. */
                recipient_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreferenceChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecipientPreferences"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    sendNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 16,384 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSend"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AcceptedSend"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readSend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                send_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SendReport"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
                send_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReplayedDelivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listReceipts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                send_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Receipts"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SuppressionList"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                suppression_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listStructured: {
        parameters: {
            query?: {
                /** @description Number of ingots of all kinds to examine. The reply may contain fewer, or none. */
                limit?: number;
            };
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StructuredList"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createStructured: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 7 MiB and 65,536 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStructured"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StructuredCreated"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readStructured: {
        parameters: {
            query?: {
                /** @description Up to 100 key names, separated by commas, whose values are returned. Required with ttl. */
                keys?: string;
                /** @description Lifetime of the unread Sparks in seconds; 900 if absent. Only with keys. */
                ttl?: number;
            };
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StructuredReading"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteStructured: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateStructured: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 7 MiB and 65,536 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StructuredChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StructuredUpdated"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Profile"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Profile"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listPushTokens: {
        parameters: {
            query?: {
                /** @description Only devices of this recipient. */
                recipient_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PushTokenList"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    registerPushToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPushToken"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PushToken"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deletePushToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                push_token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountSettings"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountSettings"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountSettings"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                limit?: number;
                /** @description Only links of Sparks, or only links of ingots. */
                type?: "spark" | "ingot";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkList"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code of a SparkLink: the last path segment of its URL. */
                link_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SparkLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code of a SparkLink: the last path segment of its URL. */
                link_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listSparks: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                /** @description The Sparks of this kindling, of all accounts. */
                kindling?: string;
                limit?: number;
                /** @description Only Sparks of this status. */
                status?: "active" | "ash";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SparkList"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createSpark: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSpark"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedSpark"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readSpark: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                spark_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SparkContent"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteSpark: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                spark_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                spark_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SparkShare"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    unshareSpark: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                spark_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UnsharedSpark"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    shareSpark: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                spark_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SparkSharing"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SharedSpark"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readCategorySubscription: {
        parameters: {
            query: {
                /** @description The token of the link in the mail. */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CategorySubscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setMailPreferences: {
        parameters: {
            query: {
                /** @description The token of the link in the mail. */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MailPreferenceChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CategorySubscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    unsubscribe: {
        parameters: {
            query: {
                /** @description The token of the link in the mail. */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndedCategorySubscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readBandwidth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BandwidthByDay"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readPools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsagePools"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UserPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    inviteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Invitation"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PendingUser"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    removeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UserChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listVaults: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                limit?: number;
                /** @description Only vaults with this stored status: active or deleting. No vault is stored as sealed or unsealed. */
                status?: "active" | "deleting" | "sealed" | "unsealed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VaultPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createVault: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVault"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedVault"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Vault"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    updateVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VaultChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UpdatedVault"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedVault"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listVaultAudit: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                /** @description Comma-separated types; only their entries are listed. An unknown type has none. */
                event_types?: string;
                limit?: number;
            };
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScopedAuditPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listDvaks: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                limit?: number;
                /** @description Only keys of this status. */
                status?: "active" | "revoked";
            };
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DvakPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createDvak: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDvak"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedDvak"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    revokeDvak: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last four characters of the key. */
                last4: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RevokedDvak"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listFolders: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                limit?: number;
                /** @description Only the direct subfolders of this folder. */
                parent_id?: string;
            };
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FolderPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFolder"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Folder"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The fld_ id of the folder. */
                folder_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Folder"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The fld_ id of the folder. */
                folder_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The fld_ id of the folder. */
                folder_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FolderChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Folder"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listIngots: {
        parameters: {
            query?: {
                limit?: number;
                sort_by?: "name" | "size" | "content_type" | "created_at" | "access_count" | "bandwidth";
                sort_order?: "asc" | "desc";
            };
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IngotList"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createIngot: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewIngot"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IngotUpload"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readIngot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IngotMetadata"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    replaceIngot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngotReplacement"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IngotUpload"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteIngot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateIngot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["IngotChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Ingot"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listIngotAudit: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                /** @description Comma-separated types; only their entries are listed. An unknown type has none. */
                event_types?: string;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the ingot, or a colon and its name. The log of a deleted ingot has its id. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScopedAuditPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    downloadIngot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DownloadRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IngotDownload"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readSharing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IngotSharing"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    updateSharing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SharingChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IngotSharing"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    inviteToIngot: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSharingInvite"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedInvite"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    revokeInvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                /** @description The inv_ id of the invite. */
                invite_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RevokedInvite"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    resendInvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                /** @description The inv_ id of the invite. */
                invite_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ResentInvite"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createIngotLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewIngotLink"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedIngotLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deliverIngotLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code of a one-time link of this ingot. */
                code: string;
                /** @description The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`. */
                ingot_id: string;
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngotLinkDelivery"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeliveredIngotLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    searchIngots: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page. */
                cursor?: string;
                file_type?: "image" | "video" | "audio" | "document" | "spreadsheet" | "presentation" | "archive" | "code" | "design" | "cad" | "ebook" | "font" | "other";
                limit?: number;
                /** @description Bytes. */
                max_size?: number;
                /** @description Bytes. */
                min_size?: number;
                /** @description Prefix of the name, without regard to case. */
                q?: string;
                /** @description Order of created_at. */
                sort_order?: "asc" | "desc";
            };
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IngotPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    sealVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unsealVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB and 8,192 of the characters { [ : , outside strings. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Unsealing"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UnsealedVault"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    uploadThroughSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                source: "portal" | "widget";
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IngotUpload"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
}
