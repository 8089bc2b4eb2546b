// Uses a generated client: creates, lists page by page, updates, deletes and handles errors. Prints what it got as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"linkfold"
	"net/http"
	"os"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func refusal(answer *http.Response, err error) []interface{} {
	failure := err.(linkfold.GenericOpenAPIError).Model().(linkfold.ErrorResponse)
	return []interface{}{answer.StatusCode, failure.Error.Code, answer.Header.Get("X-Request-Id") != ""}
}

func as(key string) context.Context {
	return context.WithValue(context.Background(), linkfold.ContextAccessToken, key)
}

func main() {
	configuration := linkfold.NewConfiguration()
	configuration.Servers = []linkfold.ServerConfiguration{{URL: os.Args[1]}}
	links := linkfold.NewAPIClient(configuration).LinksApi
	me := as(os.Args[2])

	var ids, made []string
	for n := 0; n < 5; n++ {
		request := linkfold.NewShortenRequest(fmt.Sprintf("https://example.com/%d", n))
		request.SetCustomCode(fmt.Sprintf("go-%d", n))
		answer, _, err := links.Shorten(me).ShortenRequest(*request).Execute()
		must(err)
		ids, made = append(ids, answer.Data.Id), append(made, answer.Data.ShortCode)
	}
	var pages [][]string
	for page, rest := int32(1), int32(1); rest > 0; page++ {
		answer, _, err := links.ListLinks(me).Page(page).Limit(2).Include([]string{"title"}).Execute()
		must(err)
		var codes []string
		for _, link := range answer.Data {
			codes = append(codes, link.ShortCode)
		}
		pages, rest = append(pages, codes), int32(answer.Pagination.Total)-2*page
	}
	change := linkfold.NewUpdateLinkRequest()
	change.SetTitle("From Go")
	_, _, err := links.UpdateLink(me, ids[0]).UpdateLinkRequest(*change).Execute()
	must(err)
	_, err = links.DeleteLink(me, ids[1]).Execute()
	must(err)
	first, _, err := links.GetLink(me, ids[0]).Include([]string{"title"}).Execute()
	must(err)

	_, gone, errGone := links.GetLink(me, ids[1]).Execute()
	_, invalid, errInvalid := links.Shorten(me).ShortenRequest(*linkfold.NewShortenRequest("ftp://example.com")).Execute()
	_, strange, errStrange := links.GetLink(as("lfk_nonsense"), ids[0]).Execute()
	must(json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"made":     made,
		"pages":    pages,
		"title":    first.Data.GetTitle(),
		"deleted":  refusal(gone, errGone),
		"invalid":  refusal(invalid, errInvalid),
		"stranger": refusal(strange, errStrange),
	}))
}
