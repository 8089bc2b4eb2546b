"""Uses a generated client: creates, lists page by page, updates, deletes and handles errors. Prints what it got as JSON."""
import json
import sys

import linkfold
from linkfold.api.links_api import LinksApi
from linkfold.exceptions import ApiException

url, key = sys.argv[1:]


def connect(token):
    configuration = linkfold.Configuration(host=url)
    configuration.access_token = token
    return LinksApi(linkfold.ApiClient(configuration))


def refusal(call):
    try:
        call()
    except ApiException as error:
        body = json.loads(error.body)["error"]
        return [error.status, body["code"], bool(error.headers["X-Request-Id"])]
    return None


links = connect(key)
made = [
    links.shorten(linkfold.ShortenRequest(url=f"https://example.com/{n}", custom_code=f"python-{n}")).data
    for n in range(5)
]
pages = []
while not pages or 2 * len(pages) < pages[-1].pagination.total:
    pages.append(links.list_links(page=len(pages) + 1, limit=2, include=["title"]))
links.update_link(made[0].id, update_link_request=linkfold.UpdateLinkRequest(title="From Python"))
links.delete_link(made[1].id)
print(
    json.dumps(
        {
            "made": [link.short_code for link in made],
            "pages": [[link.short_code for link in page.data] for page in pages],
            "title": links.get_link(made[0].id, include=["title"]).data.title,
            "deleted": refusal(lambda: links.get_link(made[1].id)),
            "invalid": refusal(lambda: links.shorten(linkfold.ShortenRequest(url="ftp://example.com"))),
            "stranger": refusal(lambda: connect("lfk_nonsense").get_link(made[0].id)),
        }
    )
)
