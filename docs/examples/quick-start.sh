# Calls the API; on an error, prints the answer and fails. Arguments: path, then options of curl.
api() {
  local path=$1 && shift
  curl --silent --show-error --fail-with-body "$LINKFOLD_URL/api/v1/$path" "$@" \
    -H "Authorization: Bearer $LINKFOLD_API_KEY" -H 'Content-Type: application/json'
}

# Create a link with your own code, and keep its id.
LINK=$(api shorten -d '{"url":"https://example.com/spring","customCode":"hello"}' | jq -r .data.id)

# Follow it, and read its clicks.
curl --silent --output /dev/null --write-out '%{http_code} %{redirect_url}\n' "$LINKFOLD_URL/hello"
api "links/$LINK" | jq .data.clicks

# Change its title and its destination. The code and the clicks stay.
api "links/$LINK" -X PATCH -d '{"title":"Hello"}' | jq -r .data.title
api "links/$LINK/destination" -X PATCH -d '{"url":"https://example.com/summer"}' | jq -r .data.destinationUrl

# Create a folder, move the link into it, and list the folder.
FOLDER=$(api folders -d '{"name":"Campaigns"}' | jq -r .folder.id)
api "links/$LINK/move" -X PATCH -d '{"folderId":"'$FOLDER'"}' > /dev/null
api "links?folderId=$FOLDER" | jq -r '.data[].shortCode'

# Count its clicks by class, 2 seconds later at most. curl is a bot.
sleep 2
api "links/$LINK/stats?groupBy=class" | jq -c '.data.breakdown.values[] | [.value, .clicks]'

# Delete the link, and restore it.
api "links/$LINK" -X DELETE
api "links/$LINK/restore" -X POST | jq -r .data.shortUrl
