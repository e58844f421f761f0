// Bank Heist: stakes one credit, and goes in with the others.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Println(1)
		return
	}
	questions := bufio.NewScanner(os.Stdin)
	questions.Buffer(nil, 1<<20)
	for questions.Scan() {
		var question struct {
			Type string
			Id   int
		}
		if json.Unmarshal(questions.Bytes(), &question) == nil && question.Type == "decide" {
			fmt.Printf("{\"id\": %d, \"answer\": 1}\n", question.Id)
		}
	}
}
