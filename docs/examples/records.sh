# Creates the records that the examples of docs/api.md use, after quick-start.sh. Run it in the checkout of the server:
# operators and accounts are made by commands.
id() { jq -r .data.id; }

TAG=$(api tags -d '{"name":"Sale"}' | id)
OTHER_TAG=$(api tags -d '{"name":"Offers"}' | id)
OLD_TAG=$(api tags -d '{"name":"Old"}' | id)
UTM_TEMPLATE=$(api utm-templates -d '{"name":"Flyer","utm":{"source":"flyer"}}' | id)
OLD_UTM_TEMPLATE=$(api utm-templates -d '{"name":"Old","utm":{"source":"old"}}' | id)
DOMAIN=$(api domains -d '{"host":"s.example.com"}' | id)
OLD_DOMAIN=$(api domains -d '{"host":"old.example.com"}' | id)
IMPORT=$(api imports -d '{"source":"shlink","readAt":"2026-11-01"}' | id)
SHARE_TOKEN=$(api "links/$LINK/share" -X POST | jq -r .data.token)
OLD_SHARE=$(api "links/$LINK/share" -X POST | id)
KEY=$(api keys -d '{"name":"mailing","scopes":["links:read"]}' | id)
OLD_KEY=$(api keys -d '{"name":"old","scopes":["links:read"]}' | id)
SESSION=$(api session -X POST | id)
OLD_SESSION=$(api session -X POST | id)

webhook='{"url":"https://hooks.example.com/","events":["link.created"]}'
WEBHOOK=$(api webhooks -d "$webhook" | id)
OLD_WEBHOOK=$(api webhooks -d "$webhook" | id)
DELIVERY=$(api "webhooks/$WEBHOOK/test" -X POST | id)

secret() { jq -r '.data.url | split("#")[1]'; }
invite() { api invitations -d '{"role":"viewer"}'; }
join() { api invitations/accept -d '{"token":"'$(invite | secret)'","name":"'$1'"}' | jq -r .data.person.id; }
INVITATION=$(invite | id)
OLD_INVITATION=$(invite | id)
INVITATION_TOKEN=$(invite | secret)
MEMBER=$(join Ada)
OLD_MEMBER=$(join Bob)
SIGN_IN_TOKEN=$(api "members/$(join Carol)/sign-in-link" -X POST | secret)
read -r DEVICE_CODE USER_CODE < <(api devices -d '{"name":"laptop"}' | jq -r '.data | "\(.deviceCode) \(.userCode)"')

# An operator, with the cookie of their session, and an account to suspend.
OPERATOR=$(LINKFOLD_API_KEY=$(bin/linkfold keys create --account operators) join Olga)
bin/linkfold operators add "$OPERATOR"
token=$(bin/linkfold login --account operators --person "$OPERATOR" | grep -o 'lfl_.*')
LINKFOLD_SESSION=$(curl --silent --dump-header - "$LINKFOLD_URL/api/v1/session" -X POST -H "Authorization: Bearer $token" |
  grep -io 'linkfold-[^;]*')
bin/linkfold keys create --account acme > /dev/null

PASSWORD='open sesame'
api shorten -d '{"url":"https://example.com/plans","customCode":"plans","password":"open sesame"}' > /dev/null
