# 두 플랫폼의 같은 사람, 그리고 두 플랫폼의 한 커뮤니티.

help-link = 두 플랫폼의 지갑을 하나로 합쳐요. 디스코드에서 코드를 받아 여기에 입력하세요.
option-link-code = 다른 곳에서 받은 코드, 또는 yes
help-unlink = !link로 합친 계정을 나눠요. 지갑은 처음 계정에 남아요.
help-bridge = 트위치 채팅을 디스코드 채널에 이어 방과 지갑을 하나로 만들어요.
option-bridge-code = 다른 채팅에서 받은 코드, 또는 end

code-wrong = 코드가 틀렸거나, 이미 쓰였거나, 10분이 지났어요. 새 코드를 받아 주세요.
code-tries = 틀린 코드를 너무 많이 입력했어요. { $minutes }분 뒤에 다시 해 보세요.

link-not-here = 여기서는 본인인지 확인할 수 없어요. 계정 연결은 디스코드와 트위치에서 해 주세요.
link-elsewhere = 먼저 디스코드에서 !link를 입력하세요. 봇이 거기서 알려 주는 코드를 여기에 입력하면 돼요.
link-code = 10분 안에 다른 플랫폼에서 !link { $code } 명령을 입력하세요. 코드는 누구에게도 보여 주지 마세요. 그러면 두 계정이 지갑 하나를 함께 써요.
link-same-platform = 이 코드는 { $platform } 말고 다른 플랫폼에서 쓰는 코드예요. 한 플랫폼 안에서는 연결할 수 없어요.
link-offer = 이렇게 하면 { $platform }의 { $who }님과 지갑이 합쳐져요. 본인이 맞으면 1분 안에 !link yes를 입력하고, 아니면 그냥 두세요.
link-too-much = 오늘 그 계정으로 옮길 수 있는 건 { $left }까지인데 이 지갑에는 더 많아요. 매니저가 !set credits taken_daily 명령으로 이 한도를 올려 줄 수 있어요.
link-seated = 두 계정이 같은 테이블에 앉아 있어요. 끝난 뒤에 연결해 주세요.
link-no-offer = 동의할 것이 없어요. 먼저 !link 뒤에 코드를 붙여 입력하세요.
link-already = 둘 중 하나가 이미 연결되어 있어요. !unlink로 나눌 수 있어요.
link-most = 한 계정에는 { $most }개까지만 연결할 수 있어요.
link-moved = { $amount ->
    [0] 옮길 것은 없었어요.
   *[other] 옮긴 액수: { $moved }.
  }
link-done = 이제 { $platform }의 { $who }님과 지갑 하나를 함께 써요. { $moved } 나중에 !unlink로 나누면 지갑은 그쪽에 남고, 이 계정은 빈 지갑으로 다시 시작해요.
link-none = 연결된 계정이 없어요.
unlink-done = { $platform }의 { $who }님이 다시 자기 지갑을 써요. 새 지갑은 비어 있고, 모은 것은 원래 지갑에 남아요.

bridge-not-here = 디스코드 채널과 트위치 채팅만 이을 수 있어요.
bridge-elsewhere = 이 채팅을 이을 디스코드 채널에서 !bridge를 입력하세요. 봇이 거기서 코드를 알려 줘요.
bridge-code = 10분 안에 트위치 채팅에서 그 채널의 주인으로 !bridge { $code } 명령을 입력하세요. 그러면 그 채팅이 이 채널의 게임, 설정, 지갑을 함께 써요. 그 채널의 주인과 매니저도 여기서 똑같은 권한을 갖게 돼요.
bridge-same-platform = 채팅은 다른 플랫폼의 채널에만, 그것도 아직 짝이 없는 채널에만 이을 수 있어요.
bridge-already = 이 커뮤니티는 이미 다른 커뮤니티와 이어져 있어요. !bridge end로 나눌 수 있어요.
bridge-table = 여기서 진행 중인 게임이 있어요: { $game }. 끝나기를 기다리거나 !cancel { $word } 명령으로 끝내세요.
bridge-none = 이 채팅과 이어진 다른 채팅이 없어요.
bridge-done = 이제 이 방은 { $host }, { $guest } 두 곳에 있어요. 두 채팅에서 같은 게임을 하고, 지갑은 하나예요.
bridge-other = 다른 채팅
bridge-ended = { $guest }, { $host } 사이가 나뉘었어요. 이제 채팅마다 따로 게임을 하고, 가져온 { currency } 잔액은 남아 있는 만큼 돌아갔어요.
